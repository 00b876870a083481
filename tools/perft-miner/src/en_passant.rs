//! Captures en passant: legal ones, and the lines they would open.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{Bitboard, Square, attacks};

impl Classifier<'_> {
    pub(super) fn add_en_passant(&mut self) {
        let Some(passed) = self.scene.passed else { return };
        let mut legal = 0;
        for from in self.scene.captors() {
            let victim = Square::new(passed.file(), from.rank());
            let gone = from.bitboard() | victim.bitboard();
            let occupied = (self.occupied & !gone) | passed.bitboard();
            let attackers = self.attackers(self.king, occupied);
            if let Some(attacker) = attackers.first() {
                self.add_refused_en_passant(from, attacker, attackers & self.checkers);
            } else {
                legal += 1;
                self.add_legal_en_passant(from, victim, passed);
            }
        }
        self.add_if(legal > 0, RuleCase::EnPassant);
        self.add_if(legal == 2, RuleCase::EnPassantByTwo);
    }

    fn add_refused_en_passant(&mut self, from: Square, attacker: Square, still_checking: Bitboard) {
        if still_checking.any() {
            self.add(RuleCase::EnPassantIgnoresCheck);
        } else if attacker.rank() == self.king.rank() {
            self.add(RuleCase::EnPassantOffRank);
        } else if attacker.file() == self.king.file() {
            self.add(RuleCase::EnPassantOffFile);
        } else {
            self.add_if(self.position.pinned().has(from), RuleCase::EnPassantOffDiagonal);
        }
    }

    fn add_legal_en_passant(&mut self, from: Square, victim: Square, passed: Square) {
        self.add_if(self.checkers.has(victim), RuleCase::EnPassantEvades);
        self.add_if(self.position.pinned().has(from), RuleCase::EnPassantAlongPin);
        let without_victim = self.occupied & !victim.bitboard();
        let behind = self.attackers(self.king, without_victim) & attacks::line(self.king, victim);
        let refills = behind.any() && attacks::line(self.king, victim).has(passed);
        self.add_if(refills && self.king.file() == victim.file(), RuleCase::EnPassantRefillsFile);
    }
}
