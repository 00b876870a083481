//! Sets of squares, one bit each.

use super::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit 0 is a1, bit 63 is h8. Iterating yields the squares in that order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u64);

impl Square {
    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard::new(1 << self.index())
    }
}

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The dark squares, which include a1.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);
    /// The first and eighth ranks, where no pawn can stand.
    pub const BACK_RANKS: Self = Self(0xFF00_0000_0000_00FF);

    /// The set with these bits.
    #[inline]
    pub const fn new(bits: u64) -> Self {
        Self(bits)
    }

    /// The set as bits: bit 0 is a1, bit 63 is h8.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The eight squares of a file.
    #[inline]
    pub const fn of_file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// The eight squares of a rank.
    #[inline]
    pub const fn of_rank(rank: Rank) -> Self {
        Self(0xFF << (rank as u8 * 8))
    }

    /// The first rank for White, the eighth for Black.
    #[inline]
    pub const fn back_rank(color: Color) -> Self {
        Self::of_rank(Rank::First.relative_to(color))
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether a square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// The number of squares, 0 to 64.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square nearest to a1, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The square nearest to h8, if any.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(63 - self.0.leading_zeros() as usize)) }
    }

    /// The set shifted one rank towards the eighth; squares that leave the board are dropped.
    #[inline]
    #[must_use]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// The set shifted one rank towards the first.
    #[inline]
    #[must_use]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// The set shifted one rank in the direction of this colour's pawns.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The set shifted one file towards the h-file.
    #[inline]
    #[must_use]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::of_file(File::H).0) << 1)
    }

    /// The set shifted one file towards the a-file.
    #[inline]
    #[must_use]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::of_file(File::A).0) >> 1)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bitboard())
    }
}

/// Iterates over the squares of a set, from a1 towards h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

macro_rules! set_operation {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    };
}

set_operation!(BitAnd bitand, BitAndAssign bitand_assign);
set_operation!(BitOr bitor, BitOrAssign bitor_assign);
set_operation!(BitXor bitxor, BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Eight lines of eight characters, the eighth rank on top: `x` for a square in the set, `.` for any other.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { "x" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collecting_the_squares_of_a_set_gives_the_set_back() {
        for set in [Bitboard::EMPTY, Bitboard::ALL, Bitboard::DARK, Bitboard::BACK_RANKS] {
            assert_eq!(set.into_iter().collect::<Bitboard>(), set);
            assert_eq!(set.into_iter().len(), set.count() as usize);
            assert_eq!(set.into_iter().next(), set.first());
            assert_eq!(set.into_iter().last(), set.last());
        }
    }

    #[test]
    fn steps_do_not_wrap_round_the_edges() {
        for square in Square::all() {
            let set = square.bitboard();
            for moved in [set.north(), set.south(), set.east(), set.west()] {
                assert!(moved.into_iter().all(|neighbour| neighbour.distance(square) == 1));
            }
        }
    }
}
