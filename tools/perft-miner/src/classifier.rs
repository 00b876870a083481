//! Which rare cases of the rules a position shows.
//!
//! The work is divided by the parts of the rules, one file each. What the parts share stands here: the two sides, the
//! squares that answer a check, and who would attack a square.

use super::case_set::CaseSet;
use super::rule_case::RuleCase;
use super::scene::Scene;
use chess::{Bitboard, Color, MoveList, PieceKind, Position, Square, attacks};

/// The rare cases that a position shows.
pub fn cases_of(scene: &Scene) -> CaseSet {
    let mut classifier = Classifier::new(scene);
    classifier.add_en_passant();
    classifier.add_pieces();
    classifier.add_king_steps();
    classifier.add_castling();
    classifier.add_played_moves();
    classifier.add_ends();
    classifier.cases
}

/// A position under examination and the cases found so far.
pub(super) struct Classifier<'a> {
    pub(super) scene: &'a Scene,
    pub(super) position: &'a Position,
    pub(super) us: Color,
    pub(super) king: Square,
    pub(super) occupied: Bitboard,
    pub(super) enemies: Bitboard,
    pub(super) checkers: Bitboard,
    /// Where a piece other than the king answers the check; every square when there is none.
    pub(super) evading: Bitboard,
    pub(super) legal: MoveList,
    pub(super) cases: CaseSet,
}

impl<'a> Classifier<'a> {
    fn new(scene: &'a Scene) -> Classifier<'a> {
        let position = &scene.position;
        let us = position.side_to_move();
        let (king, checkers) = (position.king(us), position.checkers());
        let evading = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::ALL,
            (Some(checker), false) => attacks::between(king, checker) | checkers,
            (Some(_), true) => Bitboard::EMPTY,
        };
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        Classifier {
            scene,
            position,
            us,
            king,
            occupied: position.occupied(),
            enemies: position.colored(!us),
            checkers,
            evading,
            legal,
            cases: CaseSet::default(),
        }
    }

    pub(super) fn add(&mut self, case: RuleCase) {
        self.cases.insert(case);
    }

    pub(super) fn add_if(&mut self, condition: bool, case: RuleCase) {
        self.cases.insert_if(condition, case);
    }

    pub(super) fn is_single_check(&self) -> bool {
        self.checkers.count() == 1
    }

    /// The enemy pieces that would attack a square on a board with these squares occupied.
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.attackers_to(square, occupied) & self.enemies & occupied
    }

    /// The square and the kind of every piece of the side to move.
    pub(super) fn own_pieces(&self) -> impl Iterator<Item = (Square, PieceKind)> + use<'a> {
        let position = self.position;
        let squares = position.colored(self.us).into_iter();
        squares.filter_map(move |square| Some((square, position.kind_on(square)?)))
    }

    fn add_ends(&mut self) {
        if !self.legal.is_empty() {
            self.add_if(self.checkers.any() && self.legal.len() == 1, RuleCase::OnlyMove);
            return;
        }
        if self.checkers.any() {
            self.add(RuleCase::Checkmate);
            self.add_if(self.checkers.more_than_one(), RuleCase::DoubleCheckmate);
        } else {
            self.add(RuleCase::Stalemate);
            self.add_if(self.has_pinned_move(), RuleCase::PinnedStalemate);
        }
    }

    /// Whether only its pin keeps some piece from moving.
    fn has_pinned_move(&self) -> bool {
        let pinned = self.position.pinned();
        self.own_pieces().any(|(from, kind)| pinned.has(from) && self.reach(from, kind).any())
    }

    /// Where a piece other than the king could go if its king did not matter, en passant aside.
    pub(super) fn reach(&self, from: Square, kind: PieceKind) -> Bitboard {
        if kind != PieceKind::Pawn {
            return attacks::of_kind(kind, from, self.occupied) & !self.position.colored(self.us);
        }
        let step = from.bitboard().forward(self.us) & !self.occupied;
        let third_rank = Bitboard::back_rank(self.us).forward(self.us).forward(self.us);
        let double_step = (step & third_rank).forward(self.us) & !self.occupied;
        step | double_step | (attacks::pawn(self.us, from) & self.enemies)
    }
}
