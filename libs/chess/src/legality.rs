//! The legality and the kind of a given move, without generating the others.

use super::{Bitboard, Move, PieceKind, Position, Rank, Square, attacks};

impl Position {
    /// Whether a move is legal here; exact for any sixteen bits, such as a move from the TT.
    pub fn is_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let us = self.side_to_move();
        if !m.has_known_flag() || !self.colored(us).has(from) {
            return false;
        }
        if m.is_castling() {
            return self.is_legal_castling(from, to);
        }
        let Some(kind) = self.kind_on(from) else { return false };
        if self.colored(us).has(to) || (kind != PieceKind::Pawn && !m.is_normal()) {
            return false;
        }
        match kind {
            PieceKind::King => attacks::king(from).has(to) && self.is_safe_for_king(us, to),
            PieceKind::Pawn if m.is_en_passant() => {
                self.ep_square() == Some(to)
                    && attacks::pawn(us, from).has(to)
                    && self.is_en_passant_safe(from, to)
            }
            PieceKind::Pawn => {
                let promotes = to.rank() == Rank::Eighth.relative_to(us);
                promotes == m.promotion().is_some()
                    && self.pawn_targets(from).has(to)
                    && self.leaves_king_safe(from, to)
            }
            _ => attacks::of_kind(kind, from, self.occupied()).has(to) && self.leaves_king_safe(from, to),
        }
    }

    fn is_legal_castling(&self, king: Square, rook: Square) -> bool {
        let us = self.side_to_move();
        king == self.king(us)
            && self.castling().rooks_of(us).has(rook)
            && !self.is_check()
            && self.can_castle(king, rook)
    }

    /// Where a pawn of the side to move may go if nothing is pinned, en passant aside.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let empty = !self.occupied();
        let third_rank = Bitboard::of_rank(Rank::Third.relative_to(us));
        let single = from.bitboard().forward(us) & empty;
        let double = (single & third_rank).forward(us) & empty;
        single | double | (attacks::pawn(us, from) & self.colored(!us))
    }

    /// Whether a move of a piece other than the king answers the check, if there is one, and respects the pin.
    fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side_to_move());
        if self.pinned().has(from) && !attacks::line(king, from).has(to) {
            return false;
        }
        match self.checkers().first() {
            None => true,
            Some(_) if self.checkers().more_than_one() => false,
            Some(checker) => checker == to || attacks::between(king, checker).has(to),
        }
    }

    /// Whether a legal move captures.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is_en_passant() || (!m.is_castling() && self.kind_on(m.to()).is_some())
    }

    /// The captured piece of a legal move, if any.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<PieceKind> {
        match m {
            m if m.is_en_passant() => Some(PieceKind::Pawn),
            m if m.is_castling() => None,
            m => self.kind_on(m.to()),
        }
    }

    /// Whether [`noisy_moves`](Self::noisy_moves) lists this legal move: a capture or a promotion, but none to less
    /// than a queen.
    #[inline]
    pub fn is_noisy(&self, m: Move) -> bool {
        match m.promotion() {
            Some(kind) => kind == PieceKind::Queen,
            None => self.is_capture(m),
        }
    }
}
