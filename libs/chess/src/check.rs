//! Attacks on kings: checkers, pins, safe squares, and whether a move gives check.

use super::{Bitboard, CastlingSide, Color, Move, PieceKind, Position, Square, attacks};

impl Position {
    /// The pieces of both colours that attack a square, seen through a board with these squares occupied. (Pieces
    /// outside `occupied` are still counted as attackers; mask them away if they are gone.)
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.of_kind(PieceKind::Queen);
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn))
            | (attacks::knight(square) & self.of_kind(PieceKind::Knight))
            | (attacks::king(square) & self.of_kind(PieceKind::King))
            | (attacks::bishop(square, occupied) & (self.of_kind(PieceKind::Bishop) | queens))
            | (attacks::rook(square, occupied) & (self.of_kind(PieceKind::Rook) | queens))
    }

    /// Finds the checkers and the pinned pieces of the side to move.
    ///
    /// Every enemy slider that would see the king on an empty board either does so, and gives check, or has pieces in
    /// between: a single one of ours is pinned.
    #[inline]
    pub(super) fn find_checkers_and_pins(&mut self) {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let king = self.king(us);
        let occupied = self.occupied();
        let snipers = (attacks::bishop_rays(king) & self.diagonal_sliders(them))
            | (attacks::rook_rays(king) & self.straight_sliders(them));
        self.checkers = (attacks::knight(king) & self.pieces(them, PieceKind::Knight))
            | (attacks::pawn(us, king) & self.pieces(them, PieceKind::Pawn));
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let in_between = attacks::between(king, sniper) & occupied;
            if in_between.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !in_between.more_than_one() {
                blockers |= in_between;
            }
        }
        self.pinned = blockers & self.colored(us);
    }

    /// Whether the king of the side to move would stand safely on a square: it is taken off the board first, so that
    /// it does not hide squares behind itself.
    #[inline]
    pub(super) fn is_safe_for_king(&self, us: Color, square: Square) -> bool {
        let them = !us;
        let occupied = self.occupied() & !self.pieces(us, PieceKind::King);
        let near = (attacks::pawn(us, square) & self.of_kind(PieceKind::Pawn))
            | (attacks::knight(square) & self.of_kind(PieceKind::Knight))
            | (attacks::king(square) & self.of_kind(PieceKind::King));
        (near & self.colored(them)).is_empty() && !self.is_seen_by_sliders(them, square, occupied)
    }

    /// Whether sliders of this colour see a square through these occupied squares. A slider that would not even see
    /// it on an empty board needs no look-up.
    #[inline]
    pub(super) fn is_seen_by_sliders(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let diagonal = self.diagonal_sliders(color);
        let straight = self.straight_sliders(color);
        ((attacks::bishop_rays(square) & diagonal).any()
            && (attacks::bishop(square, occupied) & diagonal).any())
            || ((attacks::rook_rays(square) & straight).any()
                && (attacks::rook(square, occupied) & straight).any())
    }

    /// Whether capturing en passant from this square leaves our king safe. Two pawns leave a rank at once, which no
    /// pin foresees, so the capture is tried out.
    #[inline]
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let victim = Square::new(to.file(), from.rank()).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let king = self.king(us);
        // A knight or another pawn still gives check.
        let steppers = self.of_kind(PieceKind::Knight) | self.of_kind(PieceKind::Pawn);
        (self.checkers & steppers & !victim).is_empty() && !self.is_seen_by_sliders(!us, king, occupied)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.side_to_move;
        let king = self.king(!us);
        let (from, to) = (m.from(), m.to());
        if m.is_castling() {
            let side = CastlingSide::of(from, to);
            let king_to = Square::new(side.king_file(), from.rank());
            let rook_to = Square::new(side.rook_file(), from.rank());
            let gone = from.bitboard() | to.bitboard();
            let occupied = (self.occupied() & !gone) | king_to.bitboard() | rook_to.bitboard();
            return attacks::rook(rook_to, occupied).has(king);
        }
        let mut occupied = (self.occupied() & !from.bitboard()) | to.bitboard();
        if m.is_en_passant() {
            occupied &= !Square::new(to.file(), from.rank()).bitboard();
        }
        let kind = m.promotion().or(self.kind_on(from));
        let direct = match kind {
            Some(PieceKind::Pawn) => attacks::pawn(us, to).has(king),
            Some(PieceKind::King) | None => false,
            Some(kind) => attacks::of_kind(kind, to, occupied).has(king),
        };
        if direct {
            return true;
        }
        // Only a piece that leaves a line to the king can uncover a check, except that en passant clears two squares.
        let lines = attacks::bishop_rays(king) | attacks::rook_rays(king);
        if !lines.has(from) && !m.is_en_passant() {
            return false;
        }
        let behind = !from.bitboard();
        (attacks::bishop(king, occupied) & self.diagonal_sliders(us) & behind).any()
            || (attacks::rook(king, occupied) & self.straight_sliders(us) & behind).any()
    }
}
