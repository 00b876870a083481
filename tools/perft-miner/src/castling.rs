//! Castling: allowed, refused for one reason or several, and the ways to lose the right to it.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{Bitboard, CastlingSide, Color, PieceKind, Square, attacks};

/// Cases by colour and side: White short and long, Black short and long.
type BySide = [[RuleCase; 2]; 2];

const LEGAL: BySide = [
    [RuleCase::WhiteCastlesShort, RuleCase::WhiteCastlesLong],
    [RuleCase::BlackCastlesShort, RuleCase::BlackCastlesLong],
];
const OUT_OF_CHECK: BySide = [
    [RuleCase::WhiteOutOfCheckShort, RuleCase::WhiteOutOfCheckLong],
    [RuleCase::BlackOutOfCheckShort, RuleCase::BlackOutOfCheckLong],
];
const THROUGH_CHECK: BySide = [
    [RuleCase::WhiteThroughCheckShort, RuleCase::WhiteThroughCheckLong],
    [RuleCase::BlackThroughCheckShort, RuleCase::BlackThroughCheckLong],
];
const INTO_CHECK: BySide = [
    [RuleCase::WhiteIntoCheckShort, RuleCase::WhiteIntoCheckLong],
    [RuleCase::BlackIntoCheckShort, RuleCase::BlackIntoCheckLong],
];
const ROOK_TAKEN: BySide = [
    [RuleCase::WhiteShortRookTaken, RuleCase::WhiteLongRookTaken],
    [RuleCase::BlackShortRookTaken, RuleCase::BlackLongRookTaken],
];

/// A king and a rook with the right to castle, and their targets.
struct Castling {
    side: CastlingSide,
    king: Square,
    rook: Square,
    king_to: Square,
    rook_to: Square,
}

impl Castling {
    fn new(king: Square, rook: Square) -> Castling {
        let side = CastlingSide::of(king, rook);
        let king_to = Square::new(side.king_file(), king.rank());
        let rook_to = Square::new(side.rook_file(), king.rank());
        Castling { side, king, rook, king_to, rook_to }
    }

    /// The squares between the king and its target.
    fn king_passes(&self) -> Bitboard {
        attacks::between(self.king, self.king_to)
    }

    /// The ways of the king and of the rook with their targets, without the squares of both.
    fn ways(&self) -> (Bitboard, Bitboard) {
        let movers = self.king.bitboard() | self.rook.bitboard();
        let of_king = self.king_passes() | self.king_to.bitboard();
        let of_rook = attacks::between(self.rook, self.rook_to) | self.rook_to.bitboard();
        (of_king & !movers, of_rook & !movers)
    }

    fn is_short(&self) -> bool {
        self.side == CastlingSide::King
    }
}

/// The case for White or Black and one side.
fn by_side(cases: BySide, color: Color, side: CastlingSide) -> RuleCase {
    cases[color.index()][usize::from(side == CastlingSide::Queen)]
}

impl Classifier<'_> {
    pub(super) fn add_castling(&mut self) {
        for rook in self.position.castling().rooks_of(self.us) {
            let castling = Castling::new(self.king, rook);
            let (king_way, rook_way) = castling.ways();
            let is_short = castling.is_short();
            if (king_way & self.occupied).any() || (rook_way & self.occupied).any() {
                self.add(if is_short { RuleCase::ShortBlocked } else { RuleCase::LongBlocked });
                self.add_if((king_way & self.occupied).is_empty(), RuleCase::RookBlocked);
            } else if !self.add_refused_castling(&castling) {
                self.add_legal_castling(&castling, rook_way & !king_way);
            }
        }
        self.add_lost_rights();
    }

    /// Adds the reasons why castling on a free way is illegal. Returns whether there are any.
    fn add_refused_castling(&mut self, castling: &Castling) -> bool {
        let Castling { side, king, rook, king_to, rook_to } = *castling;
        let without_king = self.occupied & !king.bitboard();
        let is_attacked = |to: Square| self.attackers(to, without_king).any();
        let passes_attack = castling.king_passes().into_iter().any(is_attacked);
        let ends_on_attack = king_to != king && is_attacked(king_to);
        let after = (without_king & !rook.bitboard()) | king_to.bitboard() | rook_to.bitboard();
        let is_uncovered = self.attackers(king_to, after).any() && !is_attacked(king_to);
        self.add_if(self.checkers.any(), by_side(OUT_OF_CHECK, self.us, side));
        self.add_if(passes_attack, by_side(THROUGH_CHECK, self.us, side));
        self.add_if(ends_on_attack, by_side(INTO_CHECK, self.us, side));
        self.add_if(is_uncovered, RuleCase::CastlingRookPinned);
        self.checkers.any() || passes_attack || ends_on_attack || is_uncovered
    }

    fn add_legal_castling(&mut self, castling: &Castling, rook_only: Bitboard) {
        let Castling { side, king, rook, king_to, rook_to } = *castling;
        self.add(by_side(LEGAL, self.us, side));
        let past_attack = rook_only.into_iter().any(|to| self.attackers(to, self.occupied).any());
        let past = if castling.is_short() { RuleCase::ShortPastAttack } else { RuleCase::LongPastAttack };
        self.add_if(past_attack, past);
        self.add_if(self.attackers(rook, self.occupied).any(), RuleCase::AttackedRookCastles);
        self.add_if(king_to == king, RuleCase::KingStays);
        self.add_if(rook_to == rook, RuleCase::RookStays);
        self.add_if(king_to == rook || rook_to == king, RuleCase::KingAndRookSwap);
        self.add_if(king.distance(king_to) >= 3, RuleCase::KingWalksFar);
        let rooks = self.position.pieces(self.us, PieceKind::Rook) & Bitboard::back_rank(self.us);
        let outer = rooks.into_iter().any(|other| match side {
            CastlingSide::King => other > rook,
            CastlingSide::Queen => other < rook,
        });
        self.add_if(outer, RuleCase::InnerRookCastles);
    }

    /// The legal moves by which either side loses a right, castling aside.
    fn add_lost_rights(&mut self) {
        let theirs = self.position.castling().rooks_of(!self.us);
        let ours = self.position.castling().rooks_of(self.us);
        if theirs.is_empty() && ours.is_empty() {
            return;
        }
        let their_king = self.position.king(!self.us);
        for m in self.legal.clone().into_iter().filter(|m| !m.is_castling()) {
            if theirs.has(m.to()) {
                let side = CastlingSide::of(their_king, m.to());
                self.add(by_side(ROOK_TAKEN, !self.us, side));
                self.add_if(m.promotion().is_some(), RuleCase::PromotionTakesCastlingRook);
            }
            if ours.has(m.from()) {
                let is_short = CastlingSide::of(self.king, m.from()) == CastlingSide::King;
                self.add(if is_short { RuleCase::ShortRookMoves } else { RuleCase::LongRookMoves });
            }
        }
    }
}
