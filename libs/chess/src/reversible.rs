//! Recognizes by two keys that the positions are one reversible move apart.
//!
//! A move of a piece changes the key by the same number wherever the other pieces stand. All these numbers fit into a
//! table of which two slots have to be looked at (cuckoo hashing; Marcel van Kervinck, "The design and implementation
//! of the Rookie 2.0 chess playing program", 2002).

use std::sync::LazyLock;

use super::{Bitboard, Color, Piece, PieceKind, Position, Square, ZobristKey, attacks};

/// Slots, a power of two: there are 3668 moves.
const SLOTS: usize = 1 << 13;

static TABLE: LazyLock<ReversibleMoves> = LazyLock::new(ReversibleMoves::new);

/// The change of the key by each move of a knight, bishop, rook, queen or king on an empty board, in either direction.
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

    /// Puts a move into one of its slots; the move that was there goes to its other slot, and so on.
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
        // The change of the key by the opponent's moves, which is zero if they undid each other.
        let mut by_opponent = ZobristKey::ZERO;
        let (_, pairs) = line.as_rchunks::<2>();
        pairs.iter().rev().enumerate().any(|(index, &[before, after])| {
            for change in [before, after, ZobristKey::of_black_to_move()] {
                by_opponent ^= change;
            }
            index > 0 && by_opponent == ZobristKey::ZERO && self.is_one_move_from(before)
        })
    }

    /// Whether one move of a piece, by either side and without obstacles, leads from this position to the one with the
    /// key `other` or back. The kings' safety is not checked.
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
    fn a_move_that_can_be_taken_back_is_recognized() {
        let position = Position::start();
        let after = |moves: &str| {
            moves
                .split(' ')
                .fold(Position::start(), |position, text| position.play(position.parse_uci(text).unwrap()))
        };
        assert!(after("g1f3").is_one_move_from(position.key()));
        assert!(after("g1f3 g8f6 f3g1").is_one_move_from(position.key()));
        assert!(!after("g1f3 g8f6").is_one_move_from(position.key()));
        assert!(!after("e2e4").is_one_move_from(position.key()));
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

    /// Whether the side to move after these moves can return to a position before.
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
        assert!(!can_return(Position::START_FEN, "g1f3 g8f6"));
        assert!(!can_return(Position::START_FEN, "g1f3 g8f6 f3e5"));
        // By three moves Black's rook came where one would have brought it, while White's king went and returned. It is
        // White's turn, and not White's to undo.
        let rooks = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1";
        assert!(!can_return(rooks, "a8a7 e1d1 a7b7 d1e1 b7b8"));
        assert!(can_return(rooks, "a8a7 e1d1 a7b7 d1e1 b7a7 e1d1 a7a8"));
    }
}
