//! Making a move, which updates the board, the keys, the castling rights and the clocks; and recognizing by their keys
//! that two positions are one reversible move apart.
//!
//! A piece move changes the key by the same number wherever the other pieces stand. A table holds all these numbers,
//! with two slots to look at for each (cuckoo hashing; Marcel van Kervinck, "The design and implementation of the
//! Rookie 2.0 chess playing program", 2002).

use std::sync::LazyLock;

use super::{Bitboard, CastlingSide, Color, Move, Piece, PieceKind, Position, Square, ZobristKey, attacks};

impl Position {
    /// The position after a legal move. An illegal move panics or gives an illegal position.
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
    /// If the origin is empty; other illegal moves may go unnoticed.
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
    /// In debug builds, if the side to move is in check.
    #[must_use]
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.is_check(), "one cannot pass in check");
        let mut next = self.clone();
        next.pass_turn();
        next.find_checkers_and_pins();
        next
    }

    /// The key after a move, to prefetch hash entries: wrong for castling and en-passant captures, and for moves that
    /// change castling rights or allow en passant.
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

    /// Moves a piece and removes the captured one. Returns the square that a double step passed over if an enemy pawn
    /// might capture there.
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

    /// Removes the rights of rooks that moved or were captured, and both rights of a king that moved.
    #[inline]
    fn lose_castling(&mut self, us: Color, kind: PieceKind, touched: Bitboard) {
        let lost = if kind == PieceKind::King { touched | Bitboard::back_rank(us) } else { touched };
        let lost = self.castling.rooks() & lost;
        if lost.any() {
            self.key ^= ZobristKey::of_castling(lost);
            self.castling = self.castling.without(lost);
        }
    }

    /// Sets the en-passant square to the one just passed over, if one of our pawns can legally capture there.
    #[inline]
    fn allow_en_passant(&mut self, passed: Square) {
        if self.is_en_passant_possible(passed) {
            self.ep_square = Some(passed);
            self.key ^= ZobristKey::of_en_passant(passed.file());
        }
    }

    /// Whether the side to move can legally capture en passant on a square that an enemy pawn has just passed.
    #[inline]
    pub(super) fn is_en_passant_possible(&self, passed: Square) -> bool {
        let us = self.side_to_move;
        let candidates = attacks::pawn(!us, passed) & self.pieces(us, PieceKind::Pawn);
        candidates.into_iter().any(|from| self.is_en_passant_safe(from, passed))
    }

    #[inline]
    pub(super) fn put_on(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.flip_piece(color, kind, square);
        self.mailbox[square.index()] = Some(kind);
    }

    #[inline]
    fn take_off(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.flip_piece(color, kind, square);
        self.mailbox[square.index()] = None;
    }

    /// Toggles a piece in the sets and the keys.
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

/// The number of slots, a power of two; they hold 3668 moves.
const SLOTS: usize = 1 << 13;

static TABLE: LazyLock<ReversibleMoves> = LazyLock::new(ReversibleMoves::new);

/// The change of the key by each move of a knight, bishop, rook, queen or king on an empty board, or by its reverse.
struct ReversibleMoves {
    slots: Box<[Option<Slot>]>,
}

#[derive(Clone, Copy)]
struct Slot {
    change: u64,
    squares: [Square; 2],
}

impl ReversibleMoves {
    fn new() -> ReversibleMoves {
        let mut table = ReversibleMoves { slots: vec![None; SLOTS].into_boxed_slice() };
        for color in Color::ALL {
            for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
                for from in Square::all() {
                    let targets = attacks::of_kind(kind, from, Bitboard::EMPTY).into_iter();
                    for to in targets.filter(|to| to.index() > from.index()) {
                        table.insert(Slot {
                            change: change(Piece { color, kind }, from, to),
                            squares: [from, to],
                        });
                    }
                }
            }
        }
        table
    }

    /// Puts a move into one of its two slots; a move evicted by this goes to its other slot, and so on.
    fn insert(&mut self, mut slot: Slot) {
        let mut place = places(slot.change)[0];
        while let Some(evicted) = self.slots[place].replace(slot) {
            let [first, second] = places(evicted.change);
            place = if place == first { second } else { first };
            slot = evicted;
        }
    }

    fn find(&self, change: u64) -> Option<[Square; 2]> {
        let slots = places(change).into_iter().filter_map(|place| self.slots[place]);
        slots.into_iter().find(|slot| slot.change == change).map(|slot| slot.squares)
    }
}

/// The change of the key by a move, with the side to move.
fn change(piece: Piece, from: Square, to: Square) -> u64 {
    let mut key = ZobristKey::of_black_to_move();
    key ^= ZobristKey::of_piece(piece, from);
    key ^= ZobristKey::of_piece(piece, to);
    key.bits()
}

fn places(change: u64) -> [usize; 2] {
    [change as usize % SLOTS, (change >> 16) as usize % SLOTS]
}

impl Position {
    /// Whether the side to move can play a move that leads back to an earlier position of the `line`: the keys since
    /// the last capture or pawn move, the oldest first and this position's last. The safety of its king is not checked.
    pub fn can_return_to(&self, line: &[ZobristKey]) -> bool {
        // The change of the key by the opponent's moves: zero if they cancel out.
        let mut by_opponent = ZobristKey::ZERO;
        let (_, pairs) = line.as_rchunks::<2>();
        pairs.iter().rev().enumerate().any(|(index, &[before, after])| {
            for change in [before, after, ZobristKey::of_black_to_move()] {
                by_opponent ^= change;
            }
            index > 0 && by_opponent == ZobristKey::ZERO && self.is_one_move_from(before)
        })
    }

    /// Whether a piece of either side could move, unobstructed, from this position to the one with the key `other`, or
    /// back. King safety is not checked.
    fn is_one_move_from(&self, other: ZobristKey) -> bool {
        let change = self.key().bits() ^ other.bits();
        TABLE.find(change).is_some_and(|[from, to]| (attacks::between(from, to) & self.occupied()).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_has_its_slot() {
        let count = TABLE.slots.iter().flatten().count();
        assert_eq!(count, 3668);
        for slot in TABLE.slots.iter().flatten() {
            assert_eq!(TABLE.find(slot.change), Some(slot.squares));
        }
    }

    #[test]
    fn a_piece_between_is_an_obstacle() {
        let free = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let moved = Position::from_fen("R3k3/8/8/8/8/8/8/4K3 b - - 1 1").unwrap();
        assert!(free.is_one_move_from(moved.key()));
        let blocked = Position::from_fen("4k3/8/8/8/P7/8/8/R3K3 w - - 0 1").unwrap();
        let moved = Position::from_fen("R3k3/8/8/8/P7/8/8/4K3 b - - 1 1").unwrap();
        assert!(!blocked.is_one_move_from(moved.key()));
    }

    fn can_return(fen: &str, moves: &str) -> bool {
        let mut position = Position::from_fen(fen).unwrap();
        let mut line = vec![position.key()];
        for text in moves.split(' ') {
            position = position.play(position.parse_uci(text).unwrap());
            line.push(position.key());
        }
        position.can_return_to(&line)
    }

    #[test]
    fn only_ones_own_moves_can_be_taken_back() {
        assert!(can_return(Position::START_FEN, "g1f3 g8f6 f3g1"));
        assert!(
            !can_return(Position::START_FEN, "g1f3 g8f6")
                && !can_return(Position::START_FEN, "e2e4 g8f6 e4e5")
        );
        assert!(!can_return(Position::START_FEN, "g1f3 g8f6 f3e5"));
        // Black's rook went from a8 to b8 in three moves, which it could have done in one, while White's king went and
        // returned. It is White's turn, so White cannot return to an earlier position.
        let rooks = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1";
        assert!(!can_return(rooks, "a8a7 e1d1 a7b7 d1e1 b7b8"));
        assert!(can_return(rooks, "a8a7 e1d1 a7b7 d1e1 b7a7 e1d1 a7a8"));
    }
}
