//! Making a move: updates the board, the keys, the castling rights and the clocks.

use super::{Bitboard, CastlingSide, Color, Move, Piece, PieceKind, Position, Square, ZobristKey, attacks};

impl Position {
    /// The position after a legal move. An illegal move gives an illegal position, or panics.
    #[inline]
    #[must_use]
    pub fn play(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }

    /// Plays a legal move on this position itself.
    ///
    /// # Panics
    /// If there is no piece on the origin; other illegal moves may go unnoticed.
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        self.pass_turn();
        let us = !self.side_to_move;
        let mut double_step = None;
        if m.is_castling() {
            self.castle(us, m.from(), m.to());
        } else {
            double_step = self.move_piece(us, m);
        }
        self.find_checkers_and_pins();
        if let Some(passed) = double_step {
            self.allow_en_passant(passed);
        }
    }

    /// The position after a null move.
    ///
    /// # Panics
    /// In debug builds, if the side to move is in check, where passing would lose the king.
    #[must_use]
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.is_check(), "one cannot pass in check");
        let mut next = self.clone();
        next.pass_turn();
        next.find_checkers_and_pins();
        next
    }

    /// The key of the position after a move, ignoring castling and changed castling or en passant rights: right for
    /// nearly all moves, for prefetching.
    #[inline]
    pub fn likely_key_after(&self, m: Move) -> ZobristKey {
        let (us, from, to) = (self.side_to_move, m.from(), m.to());
        let mut key = self.key;
        key ^= ZobristKey::of_black_to_move();
        if let Some(square) = self.ep_square {
            key ^= ZobristKey::of_en_passant(square.file());
        }
        if let Some(kind) = self.kind_on(from) {
            key ^= ZobristKey::of_piece(Piece { color: us, kind }, from);
            key ^= ZobristKey::of_piece(Piece { color: us, kind: m.promotion().unwrap_or(kind) }, to);
        }
        if let Some(kind) = self.kind_on(to) {
            key ^= ZobristKey::of_piece(Piece { color: !us, kind }, to);
        }
        key
    }

    /// Gives the turn to the opponent and forgets the en-passant square.
    #[inline]
    fn pass_turn(&mut self) {
        if let Some(square) = self.ep_square.take() {
            self.key ^= ZobristKey::of_en_passant(square.file());
        }
        self.fullmove_number =
            self.fullmove_number.saturating_add(u16::from(self.side_to_move == Color::Black));
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.side_to_move = !self.side_to_move;
        self.key ^= ZobristKey::of_black_to_move();
    }

    /// Moves a piece and takes what stands in its way. Returns the square passed over by a double step that an enemy
    /// pawn might capture on.
    #[inline]
    fn move_piece(&mut self, us: Color, m: Move) -> Option<Square> {
        let (from, to) = (m.from(), m.to());
        let kind = self.kind_on(from).expect("a move starts from a piece");
        if let Some(victim) = self.kind_on(to) {
            self.take_off(!us, victim, to);
            self.halfmove_clock = 0;
        }
        let placed = m.promotion().unwrap_or(kind);
        self.colors[us.index()] ^= from.bitboard() | to.bitboard();
        self.kinds[kind.index()] ^= from.bitboard();
        self.kinds[placed.index()] ^= to.bitboard();
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(placed);
        let left = ZobristKey::of_piece(Piece { color: us, kind }, from);
        let reached = ZobristKey::of_piece(Piece { color: us, kind: placed }, to);
        self.key ^= left;
        self.key ^= reached;
        self.lose_castling(us, kind, from.bitboard() | to.bitboard());
        if kind != PieceKind::Pawn {
            return None;
        }
        self.halfmove_clock = 0;
        self.pawn_key ^= left;
        if placed == PieceKind::Pawn {
            self.pawn_key ^= reached;
        }
        if m.is_en_passant() {
            self.take_off(!us, PieceKind::Pawn, Square::new(to.file(), from.rank()));
        }
        let is_double = from.index().abs_diff(to.index()) == 16;
        is_double.then(|| Square::from_index(usize::midpoint(from.index(), to.index())))
    }

    #[inline(never)]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        self.take_off(us, PieceKind::King, king);
        self.take_off(us, PieceKind::Rook, rook);
        self.put_on(us, PieceKind::King, Square::new(side.king_file(), king.rank()));
        self.put_on(us, PieceKind::Rook, Square::new(side.rook_file(), king.rank()));
        self.lose_castling(us, PieceKind::King, Bitboard::EMPTY);
    }

    /// Rooks that moved or were captured lose their castling right, a king that moved loses both.
    #[inline]
    fn lose_castling(&mut self, us: Color, kind: PieceKind, touched: Bitboard) {
        let lost = if kind == PieceKind::King { touched | Bitboard::back_rank(us) } else { touched };
        let lost = self.castling.rooks() & lost;
        if lost.any() {
            self.key ^= ZobristKey::of_castling(lost);
            self.castling = self.castling.without(lost);
        }
    }

    /// Keeps the square that a pawn has just passed over, if one of our pawns can legally capture there.
    #[inline]
    fn allow_en_passant(&mut self, passed: Square) {
        if self.is_en_passant_possible(passed) {
            self.ep_square = Some(passed);
            self.key ^= ZobristKey::of_en_passant(passed.file());
        }
    }

    /// Whether the side to move has a pawn that can legally capture on a square that an enemy pawn has just passed.
    #[inline]
    pub(super) fn is_en_passant_possible(&self, passed: Square) -> bool {
        let us = self.side_to_move;
        let candidates = attacks::pawn(!us, passed) & self.pieces(us, PieceKind::Pawn);
        candidates.into_iter().any(|from| self.is_en_passant_safe(from, passed))
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put_on(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.flip_piece(color, kind, square);
        self.mailbox[square.index()] = Some(kind);
    }

    /// Takes a piece off its square.
    #[inline]
    fn take_off(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.flip_piece(color, kind, square);
        self.mailbox[square.index()] = None;
    }

    /// Adds the piece to the sets and the keys, or takes it out of them.
    #[inline]
    fn flip_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.kinds[kind.index()] ^= square.bitboard();
        self.colors[color.index()] ^= square.bitboard();
        let key = ZobristKey::of_piece(Piece { color, kind }, square);
        self.key ^= key;
        if kind == PieceKind::Pawn {
            self.pawn_key ^= key;
        }
    }
}
