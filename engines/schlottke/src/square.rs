//! How squares are numbered (section III-A): the file in the tens, the rank in the units. e2 is 52.

use std::fmt;

/// A cell of the board: 11 to 88 are squares, the other numbers from -10 to 109 are the guard around them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square(i8);

impl Square {
    /// The first cell, a knight's jump before a1.
    pub const FIRST: i8 = -10;
    /// The last cell, a knight's jump behind h8.
    pub const LAST: i8 = 109;

    /// The square on a file and a rank, both 1 to 8.
    pub const fn new(file: i8, rank: i8) -> Square {
        Square(10 * file + rank)
    }

    /// The 64 squares, file after file, as the generator walks over them.
    pub fn all() -> impl Iterator<Item = Square> {
        (1..=8).flat_map(|file| (1..=8).map(move |rank| Square::new(file, rank)))
    }

    /// The square that a text such as `e2` names.
    pub fn named(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::new((file - b'a') as i8 + 1, (rank - b'0') as i8))
            }
            _ => None,
        }
    }

    /// 1 for the a-file to 8 for the h-file.
    pub const fn file(self) -> i8 {
        self.0 / 10
    }

    /// 1 to 8.
    pub const fn rank(self) -> i8 {
        self.0 % 10
    }

    /// The cell that lies `step` further: tens change the file, units the rank.
    pub const fn step(self, step: i8) -> Square {
        Square(self.0 + step)
    }

    /// The step that leads from `other` to here.
    pub const fn minus(self, other: Square) -> i8 {
        self.0 - other.0
    }

    /// Whether this is one of the 28 squares along the edge.
    pub const fn is_on_edge(self) -> bool {
        matches!(self.file(), 1 | 8) || matches!(self.rank(), 1 | 8)
    }

    /// The place of the cell in the array of 120.
    pub const fn index(self) -> usize {
        (self.0 - Square::FIRST) as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + (self.file() - 1) as u8);
        write!(f, "{file}{}", self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_its_file_and_its_rank() {
        assert_eq!(format!("{:?}", Square::named("e2").unwrap()), "52");
        for square in Square::all() {
            assert_eq!(Square::named(&square.to_string()), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!(Square::all().count(), 64);
    }

    #[test]
    fn what_is_not_a_square_has_no_number() {
        for text in ["", "e", "e9", "i1", "e22", "E2", "é"] {
            assert_eq!(Square::named(text), None, "{text}");
        }
    }

    #[test]
    fn the_edge_has_28_squares() {
        assert_eq!(Square::all().filter(|square| square.is_on_edge()).count(), 28);
    }
}
