//! Attacks on kings (checkers, pins, safe squares, moves that give check), the generator of quiet checks, and the
//! legality and kind of a given move, found without generating all moves.

use super::{Bitboard, CastlingSide, Color, Move, MoveList, PieceKind, Position, Rank, Square, attacks};

impl Position {
    /// The pieces of both colours that attack a square if only these squares are occupied. (Pieces outside `occupied`
    /// still count as attackers; mask them out if they are gone.)
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
    /// An enemy slider that would attack the king on an empty board either gives check or is blocked. If it is blocked
    /// by a single piece of the side to move, that piece is pinned.
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

    /// Whether the king of the side to move would be safe on a square. The king is first taken off the board, because
    /// it must not shield the squares behind it.
    #[inline]
    pub(super) fn is_safe_for_king(&self, us: Color, square: Square) -> bool {
        let them = !us;
        let occupied = self.occupied() & !self.pieces(us, PieceKind::King);
        let near = (attacks::pawn(us, square) & self.of_kind(PieceKind::Pawn))
            | (attacks::knight(square) & self.of_kind(PieceKind::Knight))
            | (attacks::king(square) & self.of_kind(PieceKind::King));
        (near & self.colored(them)).is_empty() && !self.is_seen_by_sliders(them, square, occupied)
    }

    /// Whether a slider of this colour attacks a square with these squares occupied. No table is consulted if none
    /// would attack it on an empty board.
    #[inline]
    pub(super) fn is_seen_by_sliders(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let diagonal = self.diagonal_sliders(color);
        let straight = self.straight_sliders(color);
        ((attacks::bishop_rays(square) & diagonal).any()
            && (attacks::bishop(square, occupied) & diagonal).any())
            || ((attacks::rook_rays(square) & straight).any()
                && (attacks::rook(square, occupied) & straight).any())
    }

    /// Whether capturing en passant from this square leaves our king safe. The capture clears two squares at once,
    /// which the pins do not cover, so it is tried out.
    #[inline]
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let victim = Square::new(to.file(), from.rank()).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let king = self.king(us);
        // A knight or another pawn may still give check.
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
        // Only a piece that leaves a line to the king can discover a check; en passant clears two squares.
        let lines = attacks::bishop_rays(king) | attacks::rook_rays(king);
        if !lines.has(from) && !m.is_en_passant() {
            return false;
        }
        let behind = !from.bitboard();
        (attacks::bishop(king, occupied) & self.diagonal_sliders(us) & behind).any()
            || (attacks::rook(king, occupied) & self.straight_sliders(us) & behind).any()
    }

    /// Adds the quiet legal moves that give check to a list, except castling and promotions. The side to move must not
    /// be in check itself.
    pub fn quiet_checks(&self, moves: &mut MoveList) {
        let us = self.side_to_move();
        let enemy_king = self.king(!us);
        let discoverers = self.discoverers(enemy_king);
        self.direct_checks(enemy_king, discoverers, moves);
        if discoverers.any() {
            let mut quiet = MoveList::new();
            self.quiet_moves(&mut quiet);
            let is_ordinary = |m: &Move| m.promotion().is_none() && !m.is_castling();
            let discovered = quiet.iter().filter(|m| discoverers.has(m.from()) && is_ordinary(m));
            moves.extend(discovered.copied().filter(|&m| self.gives_check(m)));
        }
    }

    /// The pieces of the side to move that stand alone between one of its sliders and the enemy king.
    fn discoverers(&self, enemy_king: Square) -> Bitboard {
        let us = self.side_to_move();
        let snipers = (attacks::bishop_rays(enemy_king) & self.diagonal_sliders(us))
            | (attacks::rook_rays(enemy_king) & self.straight_sliders(us));
        let in_between = |sniper| attacks::between(enemy_king, sniper) & self.occupied();
        let lone = snipers.into_iter().map(in_between).filter(|between| !between.more_than_one());
        lone.fold(Bitboard::EMPTY, |all, between| all | between) & self.colored(us)
    }

    /// Adds the quiet moves by which the moved piece itself gives check, except those of the pieces in `left_out`.
    fn direct_checks(&self, enemy_king: Square, left_out: Bitboard, moves: &mut MoveList) {
        let us = self.side_to_move();
        let (king, pinned, occupied) = (self.king(us), self.pinned(), self.occupied());
        let mut add = |from: Square, targets: Bitboard| {
            let allowed = if pinned.has(from) { attacks::line(king, from) } else { Bitboard::ALL };
            moves.extend((targets & allowed).into_iter().map(|to| Move::normal(from, to)));
        };
        let pieces = |kind| self.pieces(us, kind) & !left_out;
        let diagonal = attacks::bishop(enemy_king, occupied) & !occupied;
        let straight = attacks::rook(enemy_king, occupied) & !occupied;
        for from in pieces(PieceKind::Knight) {
            add(from, attacks::knight(from) & attacks::knight(enemy_king) & !occupied);
        }
        for from in pieces(PieceKind::Bishop) {
            add(from, attacks::bishop(from, occupied) & diagonal);
        }
        for from in pieces(PieceKind::Rook) {
            add(from, attacks::rook(from, occupied) & straight);
        }
        for from in pieces(PieceKind::Queen) {
            add(from, attacks::queen(from, occupied) & (diagonal | straight));
        }
        let third_rank = Bitboard::back_rank(us).forward(us).forward(us);
        let checking = attacks::pawn(!us, enemy_king) & !occupied;
        for from in pieces(PieceKind::Pawn) & checking.forward(!us) {
            add(from, from.bitboard().forward(us) & checking);
        }
        let passed_over = checking.forward(!us) & third_rank & !occupied;
        for from in pieces(PieceKind::Pawn) & passed_over.forward(!us) {
            add(from, from.bitboard().forward(us).forward(us) & checking);
        }
    }

    /// Whether a move is legal here. Exact for any sixteen bits, such as a move from the transposition table.
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

    /// The targets of a pawn of the side to move, ignoring pins and en passant.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let empty = !self.occupied();
        let third_rank = Bitboard::of_rank(Rank::Third.relative_to(us));
        let single = from.bitboard().forward(us) & empty;
        let double = (single & third_rank).forward(us) & empty;
        single | double | (attacks::pawn(us, from) & self.colored(!us))
    }

    /// Whether a move of a piece other than the king resolves any check and respects the piece's pin.
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

    /// Whether a legal move is a capture.
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

    /// Whether [`noisy_moves`](Self::noisy_moves) lists this legal move: a promotion to a queen, or a capture that does
    /// not promote to a lesser piece.
    #[inline]
    pub fn is_noisy(&self, m: Move) -> bool {
        match m.promotion() {
            Some(kind) => kind == PieceKind::Queen,
            None => self.is_capture(m),
        }
    }
}
