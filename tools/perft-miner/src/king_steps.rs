//! Steps of the king: out of check, and onto squares that are attacked.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{PieceKind, Square, attacks};

impl Classifier<'_> {
    pub(super) fn add_king_steps(&mut self) {
        let own = self.position.colored(self.us);
        for to in attacks::king(self.king) & !own {
            // The king does not hide squares behind itself.
            let without_king = self.occupied & !self.king.bitboard();
            let attackers = self.attackers(to, without_king) & !to.bitboard();
            if attackers.is_empty() {
                self.add_safe_step(to);
                continue;
            }
            for attacker in attackers {
                let case = match self.position.kind_on(attacker) {
                    Some(PieceKind::Pawn) => RuleCase::KingToPawn,
                    Some(PieceKind::Knight) => RuleCase::KingToKnight,
                    Some(PieceKind::Bishop) => RuleCase::KingToBishop,
                    Some(PieceKind::Rook) => RuleCase::KingToRook,
                    Some(PieceKind::Queen) => RuleCase::KingToQueen,
                    _ => RuleCase::KingBesideKing,
                };
                self.add(case);
            }
            self.add_if(self.enemies.has(to), RuleCase::KingTakesProtected);
            let hidden = attackers & !self.attackers(to, self.occupied);
            self.add_if(hidden.any(), RuleCase::KingStaysOnLine);
        }
    }

    fn add_safe_step(&mut self, to: Square) {
        if self.checkers.has(to) {
            let is_double = self.checkers.more_than_one();
            self.add(if is_double { RuleCase::DoubleCheckKingTakes } else { RuleCase::KingTakesChecker });
        } else {
            self.add_if(self.checkers.any(), RuleCase::KingEvades);
        }
        self.add_if(self.position.castling().rooks_of(self.us).any(), RuleCase::CastlingKingMoves);
    }
}
