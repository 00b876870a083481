//! The 64 squares, and their files and ranks.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// A square, numbered rank by rank: a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[display("{}{}", self.file(), self.rank())]
pub struct Square(u8);

impl Square {
    /// The corner on White's left.
    pub const A1: Self = Self(0);
    /// The corner on Black's left.
    pub const H8: Self = Self(63);

    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank as u8 * 8 + file as u8)
    }

    /// The square with this index. Only the low six bits count, so the result is always valid.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64_usize).map(Self::from_index)
    }

    /// 0 for a1 to 63 for h8. The mask costs nothing measurable and spares tables of 64 entries their bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 >> 3 & 7) as usize]
    }

    /// The square with an index higher by `steps`, modulo 64. The caller ensures that it stays on the board, as when
    /// the origin of a pawn is computed from its target.
    #[inline]
    #[must_use]
    pub const fn offset(self, steps: i8) -> Self {
        Self(self.0.wrapping_add_signed(steps) & 63)
    }

    /// The square mirrored at the middle of the board, so that a1 becomes a8.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ 0b11_1000)
    }

    /// This square for White, the flipped square for Black.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    /// The number of king moves between two squares on an empty board, 0 to 7.
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        if files > ranks { files } else { ranks }
    }
}

/// A board in text, seen from White's side with file and rank names, given the letter on each square.
pub fn board_text(letter_on: impl Fn(Square) -> Option<char>) -> String {
    let cell = |file, rank| format!(" {}", letter_on(Square::new(file, rank)).unwrap_or('.'));
    let rank = |rank| format!("{rank}{}\n", File::ALL.map(|file| cell(file, rank)).concat());
    Rank::ALL.into_iter().rev().map(rank).collect::<String>() + "  a b c d e f g h"
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square from `a1` to `h8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square from a1 to h8")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter).ok_or(NotASquare)?;
        let rank = letters.next().and_then(Rank::from_digit).ok_or(NotASquare)?;
        if letters.next().is_some() { Err(NotASquare) } else { Ok(Self::new(file, rank)) }
    }
}

/// A column of the board, `a` to `h` from White's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[repr(u8)]
#[expect(missing_docs, reason = "the letters name themselves")]
#[display("{}", self.letter())]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// The eight files from a to h.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with this index; `None` above 7.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// The file with this lower-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        ('a'..='h').position(|file| file == letter).and_then(Self::from_index)
    }

    /// `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

/// A row of the board; the first is White's back rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[repr(u8)]
#[expect(missing_docs, reason = "the ordinals name themselves")]
#[display("{}", self.digit())]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// The eight ranks from White's side to Black's.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with this index; `None` above 7.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// The rank with this digit, `1` to `8`.
    pub fn from_digit(digit: char) -> Option<Self> {
        ('1'..='8').position(|rank| rank == digit).and_then(Self::from_index)
    }

    /// `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// This rank as the given side counts it: itself for White, mirrored for Black.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_survives_its_text_and_other_texts_are_none() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for text in ["", "a", "a9", "i1", "a11", "4e", "é1"] {
            assert_eq!(text.parse::<Square>(), Err(NotASquare), "{text}");
        }
    }
}
