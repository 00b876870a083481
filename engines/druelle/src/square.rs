//! A case of the board by column and line (section 3.6.1), with the order that the canonical text needs (section 3.1).

use std::fmt;

/// Column and line, both 0 to 7. Squares are ordered by their letter and then by their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// 0 for the a-file.
    pub column: i8,
    /// 0 for the first rank.
    pub line: i8,
}

impl Square {
    /// A square of the board.
    pub const fn new(column: i8, line: i8) -> Square {
        Square { column, line }
    }

    /// The square that a text such as `e4` or `E4` names.
    pub fn from_text(text: &str) -> Option<Square> {
        match text.as_bytes() {
            &[column, line @ b'1'..=b'8'] if matches!(column, b'a'..=b'h' | b'A'..=b'H') => {
                Some(Square::new((column.to_ascii_lowercase() - b'a') as i8, (line - b'1') as i8))
            }
            _ => None,
        }
    }

    /// The square so many columns and lines away, if it is on the board.
    pub fn offset(self, (columns, lines): (i8, i8)) -> Option<Square> {
        let (column, line) = (self.column + columns, self.line + lines);
        let is_on_board = (0..8).contains(&column) && (0..8).contains(&line);
        is_on_board.then_some(Square { column, line })
    }

    /// An index from 0 to 63 for tables.
    pub const fn index(self) -> usize {
        (self.column * 8 + self.line) as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column as u8), self.line + 1)
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
    fn squares_are_ordered_by_letter_and_then_by_number() {
        let mut squares = ["C6", "A8", "C3", "B2"].map(|text| Square::from_text(text).unwrap());
        squares.sort();
        assert_eq!(squares.map(|square| square.to_string()), ["a8", "b2", "c3", "c6"]);
    }

    #[test]
    fn what_is_beside_the_board_is_no_square() {
        assert_eq!(Square::new(7, 0).offset((1, 0)), None);
        assert_eq!(Square::from_text("i1"), None);
        assert_eq!(Square::from_text("a9"), None);
    }
}
