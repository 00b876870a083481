//! How the tables of sliding attacks are laid out: one slice per square, as long as two to the number of squares that
//! can block, the slices one after the other.

use super::super::{Bitboard, Square};
use super::ray;

/// Entries in the table of a rook: the sum over the squares of 2 to the number of relevant squares.
pub(super) const ROOK_ENTRIES: usize = 102_400;

/// Entries in the table of a bishop.
pub(super) const BISHOP_ENTRIES: usize = 5_248;

/// Where to look for a slider on one square.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// The squares whose occupation matters.
    pub(super) relevant: Bitboard,
    /// Where the square's slice starts in the table.
    pub(super) start: u32,
}

/// The slices of the 64 squares.
pub(super) const fn slices(directions: [usize; 4]) -> [Slice; 64] {
    let mut slices = [Slice { relevant: Bitboard::EMPTY, start: 0 }; 64];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let relevant = ray::relevant(Square::from_index(index), directions);
        slices[index] = Slice { relevant, start };
        start += 1 << relevant.count();
        index += 1;
    }
    slices
}

/// The attacks for every subset of the relevant squares, in the order of the subsets' bits gathered together: the
/// order that PEXT gives.
///
/// Another blocker only hides what lies behind it, so the attacks with the relevant squares 0 to k occupied in some
/// way follow from those with 0 to k - 1, at a few operations an entry; the compiler has to do this 107,648 times.
pub(super) const fn fill<const ENTRIES: usize>(directions: [usize; 4]) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        let mut relevant = ray::relevant(square, directions);
        table[start] = ray::attacks(square, directions, Bitboard::EMPTY);
        let mut filled = 1;
        while let Some(blocker) = relevant.first() {
            let visible = !ray::behind(square, blocker).bits();
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

/// The subset that follows in that same order; after the last comes the empty one. (The carry of the subtraction runs
/// over the bits outside the set.)
#[cfg(any(test, not(target_feature = "bmi2")))]
pub(super) const fn next_subset(subset: u64, set: u64) -> u64 {
    subset.wrapping_sub(set) & set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slices_fill_the_tables_exactly() {
        for (directions, entries) in [(ray::ROOK, ROOK_ENTRIES), (ray::BISHOP, BISHOP_ENTRIES)] {
            let last = slices(directions)[63];
            assert_eq!(last.start as usize + (1 << last.relevant.count()), entries);
        }
    }
}
