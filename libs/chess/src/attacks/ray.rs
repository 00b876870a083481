//! Rays: the attacks of a slider in one direction, the lines between squares, and the layout of the tables of sliding
//! attacks: one slice per square, one after the other, each with 2^(number of relevant squares) entries.

use super::super::{Bitboard, Square};
use super::of_squares;

/// The directions as steps of file and rank. The first four increase the square index, the others decrease it.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];

/// The directions of a rook, as indices of [`DIRECTIONS`].
pub(super) const ROOK: [usize; 4] = [0, 2, 4, 6];

/// The directions of a bishop, as indices of [`DIRECTIONS`].
pub(super) const BISHOP: [usize; 4] = [1, 3, 5, 7];

/// The squares in each direction from each square, to the edge.
const RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (direction, square) = (index / 64, index % 64);
        let (file_step, rank_step) = DIRECTIONS[direction];
        let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
        let mut bits = 0;
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            bits |= 1 << (rank * 8 + file);
            file += file_step;
            rank += rank_step;
        }
        rays[direction][square] = Bitboard::new(bits);
        index += 1;
    }
    rays
};

/// The attacks of a slider in one direction: the ray up to and including the first occupied square.
const fn see(square: Square, direction: usize, occupied: Bitboard) -> u64 {
    let ray = RAYS[direction][square.index()].bits();
    let blockers = Bitboard::new(ray & occupied.bits());
    let blocker = if direction < 4 { blockers.first() } else { blockers.last() };
    match blocker {
        Some(blocker) => ray & !RAYS[direction][blocker.index()].bits(),
        None => ray,
    }
}

/// The attacks of a slider with these four directions, computed ray by ray: the reference that fills the tables.
pub(super) const fn attacks(square: Square, directions: [usize; 4], occupied: Bitboard) -> Bitboard {
    Bitboard::new(
        see(square, directions[0], occupied)
            | see(square, directions[1], occupied)
            | see(square, directions[2], occupied)
            | see(square, directions[3], occupied),
    )
}

/// The squares where a blocker changes a slider's attacks: its rays without the last square of each.
pub(super) const fn relevant(square: Square, directions: [usize; 4]) -> Bitboard {
    let mut bits = 0;
    let mut index = 0;
    while index < 4 {
        let ray = RAYS[directions[index]][square.index()];
        let end = if directions[index] < 4 { ray.last() } else { ray.first() };
        if let Some(end) = end {
            bits |= ray.bits() & !end.bitboard().bits();
        }
        index += 1;
    }
    Bitboard::new(bits)
}

/// The direction from one square to another; `None` if they share no line or are the same square.
const fn direction(a: Square, b: Square) -> Option<usize> {
    let mut direction = 0;
    while direction < 8 {
        if RAYS[direction][a.index()].has(b) {
            return Some(direction);
        }
        direction += 1;
    }
    None
}

/// The squares that a blocker hides from a slider: those behind it on their common line, to the edge.
pub(super) const fn behind(slider: Square, blocker: Square) -> Bitboard {
    match direction(slider, blocker) {
        Some(direction) => RAYS[direction][blocker.index()],
        None => Bitboard::EMPTY,
    }
}

/// The squares strictly between two squares on a common line, computed without a table.
pub(in super::super) const fn between(a: Square, b: Square) -> Bitboard {
    let Some(direction) = direction(a, b) else { return Bitboard::EMPTY };
    let beyond = RAYS[direction][b.index()].bits() | b.bitboard().bits();
    Bitboard::new(RAYS[direction][a.index()].bits() & !beyond)
}

const fn line(a: Square, b: Square) -> Bitboard {
    let Some(direction) = direction(a, b) else { return Bitboard::EMPTY };
    let [ahead, back] = [direction, (direction + 4) % 8];
    Bitboard::new(RAYS[ahead][a.index()].bits() | RAYS[back][a.index()].bits() | a.bitboard().bits())
}

pub(super) static BETWEEN: [[Bitboard; 64]; 64] = of_squares!(|a| of_squares!(|b| between(a, b)));

pub(super) static LINE: [[Bitboard; 64]; 64] = of_squares!(|a| of_squares!(|b| line(a, b)));

pub(super) static BISHOP_RAYS: [Bitboard; 64] =
    of_squares!(|square| attacks(square, BISHOP, Bitboard::EMPTY));

pub(super) static ROOK_RAYS: [Bitboard; 64] = of_squares!(|square| attacks(square, ROOK, Bitboard::EMPTY));

/// Entries in the rook table: the sum over all squares of 2^(number of relevant squares).
pub(super) const ROOK_ENTRIES: usize = 102_400;

pub(super) const BISHOP_ENTRIES: usize = 5_248;

/// The slice of the table for a slider on one square.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// The squares whose occupation matters.
    pub(super) relevant: Bitboard,
    pub(super) start: u32,
    /// The number of relevant squares.
    #[cfg_attr(
        all(target_feature = "bmi2", not(test)),
        expect(dead_code, reason = "only magics ask for it")
    )]
    pub(super) bits: u32,
}

pub(super) const fn slices(directions: [usize; 4]) -> [Slice; 64] {
    let mut slices = [Slice { relevant: Bitboard::EMPTY, start: 0, bits: 0 }; 64];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let relevant = relevant(Square::from_index(index), directions);
        let bits = relevant.count();
        slices[index] = Slice { relevant, start, bits };
        start += 1 << bits;
        index += 1;
    }
    slices
}

/// The attacks for every subset of the relevant squares of every square, in PEXT order.
///
/// A further blocker only hides what lies behind it, so the entries for the relevant squares 0 to k follow from the
/// entries for 0 to k - 1 in a few operations each; the compiler computes 107,648 entries in all.
pub(super) const fn fill<const ENTRIES: usize>(directions: [usize; 4]) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        let mut relevant = relevant(square, directions);
        table[start] = attacks(square, directions, Bitboard::EMPTY);
        let mut filled = 1;
        while let Some(blocker) = relevant.first() {
            let visible = !behind(square, blocker).bits();
            let mut subset = 0;
            while subset < filled {
                table[start + filled + subset] = Bitboard::new(table[start + subset].bits() & visible);
                subset += 1;
            }
            filled *= 2;
            relevant = Bitboard::new(relevant.bits() & (relevant.bits() - 1));
        }
        start += filled;
        index += 1;
    }
    table
}

/// The next subset in PEXT order; the last is followed by the empty set. (The borrow of the subtraction passes over the
/// bits outside the set.)
#[cfg(any(test, not(target_feature = "bmi2")))]
pub(super) const fn next_subset(subset: u64, set: u64) -> u64 {
    subset.wrapping_sub(set) & set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slices_fill_the_tables_exactly() {
        for (directions, entries) in [(ROOK, ROOK_ENTRIES), (BISHOP, BISHOP_ENTRIES)] {
            let last = slices(directions)[63];
            assert_eq!(last.start as usize + (1 << last.relevant.count()), entries);
        }
    }
}
