//! What legal moves do: promotions, and the checks that moves give and uncover.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{Bitboard, CastlingSide, Move, PieceKind, Position};

impl Classifier<'_> {
    pub(super) fn add_played_moves(&mut self) {
        for m in self.legal.clone() {
            if m.promotion().is_some() {
                let captures = self.position.is_capture(m);
                self.add(if captures { RuleCase::PromotionCapture } else { RuleCase::PromotionStep });
            }
            if self.position.gives_check(m) {
                self.add_check(m, &self.position.play(m));
            }
        }
    }

    fn add_check(&mut self, m: Move, next: &Position) {
        let checkers = next.checkers();
        if m.is_castling() {
            let is_short = CastlingSide::of(m.from(), m.to()) == CastlingSide::King;
            self.add(if is_short { RuleCase::ShortChecks } else { RuleCase::LongChecks });
        } else if m.is_en_passant() {
            self.add_if(checkers.has(m.to()), RuleCase::EnPassantChecks);
            self.add_if((checkers & !m.to().bitboard()).any(), RuleCase::EnPassantUncovers);
            self.add_if(checkers.more_than_one(), RuleCase::EnPassantDoubleCheck);
        } else if let Some(kind) = m.promotion() {
            self.add_promotion_check(m, kind, checkers);
            self.add_if(!next.has_legal_move(), RuleCase::PromotionMates);
        } else if let Some(kind) = self.position.kind_on(m.from()) {
            let case = if checkers.more_than_one() { double_check(kind) } else { uncovered_check(kind) };
            if let Some(case) = case {
                self.add_if(checkers.more_than_one() || !checkers.has(m.to()), case);
            }
        }
    }

    fn add_promotion_check(&mut self, m: Move, kind: PieceKind, checkers: Bitboard) {
        let direct = match kind {
            PieceKind::Knight => RuleCase::PromotionChecksKnight,
            PieceKind::Bishop => RuleCase::PromotionChecksBishop,
            PieceKind::Rook => RuleCase::PromotionChecksRook,
            _ => RuleCase::PromotionChecksQueen,
        };
        self.add_if(checkers.has(m.to()), direct);
        self.add_if((checkers & !m.to().bitboard()).any(), RuleCase::PromotionUncovers);
        self.add_if(checkers.more_than_one(), RuleCase::PromotionDoubleCheck);
    }
}

/// The case of a piece that uncovers a check. A queen cannot: on the line it would leave, it gives check itself.
const fn uncovered_check(kind: PieceKind) -> Option<RuleCase> {
    match kind {
        PieceKind::Pawn => Some(RuleCase::PawnUncovers),
        PieceKind::Knight => Some(RuleCase::KnightUncovers),
        PieceKind::Bishop => Some(RuleCase::BishopUncovers),
        PieceKind::Rook => Some(RuleCase::RookUncovers),
        PieceKind::King => Some(RuleCase::KingUncovers),
        PieceKind::Queen => None,
    }
}

/// The case of a piece that gives one of two checks.
const fn double_check(kind: PieceKind) -> Option<RuleCase> {
    match kind {
        PieceKind::Pawn => Some(RuleCase::PawnDoubleCheck),
        PieceKind::Knight => Some(RuleCase::KnightDoubleCheck),
        PieceKind::Bishop => Some(RuleCase::BishopDoubleCheck),
        PieceKind::Rook => Some(RuleCase::RookDoubleCheck),
        PieceKind::Queen | PieceKind::King => None,
    }
}
