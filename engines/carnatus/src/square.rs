//! Cells of the padded board, and the steps between them ("Cellules et formes", "Générateur de course").

use std::fmt;

/// One rank up the board.
pub const N: i8 = -10;
/// One file to the right.
pub const E: i8 = 1;
/// One rank down.
pub const S: i8 = 10;
/// One file to the left.
pub const W: i8 = -1;

/// A cell, 0 to 119: twelve rows of ten, of which the eight rows 2 to 9 and the eight columns 1 to 8 are the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The corners, as the side to move sees them.
    pub const A1: Square = Square(91);
    /// Lower right.
    pub const H1: Square = Square(98);
    /// Upper left.
    pub const A8: Square = Square(21);
    /// Upper right.
    pub const H8: Square = Square(28);

    /// The cell of a file and a rank, both from 0.
    pub const fn new(file: u8, rank: u8) -> Square {
        Square(91 + file - 10 * rank)
    }

    /// The cell that a text such as `e4` names.
    pub fn from_text(text: &str) -> Option<Square> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
            _ => None,
        }
    }

    /// All cells between the corners, row by row from above. The padding on both sides is among them.
    pub fn all() -> impl Iterator<Item = Square> {
        (Square::A8.0..=Square::H1.0).map(Square)
    }

    /// The cell one step further. No step from a square of the board leaves the 120 cells.
    pub const fn step(self, direction: i8) -> Square {
        Square(self.0.wrapping_add_signed(direction))
    }

    /// The same cell seen from the other end of the board.
    pub const fn flip(self) -> Square {
        Square(119 - self.0)
    }

    /// The cell halfway to another.
    pub const fn midpoint(self, other: Square) -> Square {
        Square(u8::midpoint(self.0, other.0))
    }

    /// How many cells two cells are apart when the rows are laid end to end.
    pub const fn distance(self, other: Square) -> u8 {
        self.0.abs_diff(other.0)
    }

    /// Whether a pawn that stands here is on its first square.
    pub const fn is_on_second_rank(self) -> bool {
        self.0 / 10 == 8
    }

    /// Whether a pawn that comes here is promoted.
    pub const fn is_on_last_rank(self) -> bool {
        self.0 / 10 == 2
    }

    /// The index into tables of 120 cells.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 10 - 1), char::from(b'8' + 2 - self.0 / 10))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_is_91_and_a8_is_21_as_in_the_document() {
        assert_eq!(Square::from_text("a1"), Some(Square(91)));
        assert_eq!(Square::from_text("a8"), Some(Square(21)));
        assert_eq!(Square::new(7, 0), Square::H1);
        assert_eq!(Square::H8.to_string(), "h8");
    }

    #[test]
    fn flipping_turns_the_board_by_half_a_turn() {
        assert_eq!(Square::A1.flip(), Square::H8);
        assert_eq!(Square::from_text("e8").unwrap().flip(), Square::from_text("d1").unwrap());
    }
}
