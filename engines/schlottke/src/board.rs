//! The board (sections III-A to III-C). A square is a number with the file as tens and the rank as units, so e2 is 52. A
//! piece is a number that encodes both its kind and its value. The board is an array from -10 to 109, wide enough for
//! every knight's jump to end inside.

use std::fmt;
use std::ops::{Index, IndexMut};

use chess::{File, Rank};

/// A cell of the board: 11 to 88 are squares, the other numbers from -10 to 109 guard them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(i8);

impl Square {
    /// The first cell, a knight's jump before a1.
    pub const FIRST: i8 = -10;
    /// The last cell, a knight's jump beyond h8.
    pub const LAST: i8 = 109;

    pub const fn new(file: i8, rank: i8) -> Square {
        Square(10 * file + rank)
    }

    /// The 64 squares, file by file, in the generator's order.
    pub fn all() -> impl Iterator<Item = Square> {
        (1..=8).flat_map(|file| (1..=8).map(move |rank| Square::new(file, rank)))
    }

    /// 1 for the a-file to 8 for the h-file.
    pub const fn file(self) -> i8 {
        self.0 / 10
    }

    pub const fn rank(self) -> i8 {
        self.0 % 10
    }

    pub const fn step(self, step: i8) -> Square {
        Square(self.0 + step)
    }

    pub const fn minus(self, other: Square) -> i8 {
        self.0 - other.0
    }

    /// Whether this is one of the 28 squares along the edge.
    pub const fn is_on_edge(self) -> bool {
        matches!(self.file(), 1 | 8) || matches!(self.rank(), 1 | 8)
    }

    pub const fn index(self) -> usize {
        (self.0 - Square::FIRST) as usize
    }
}

impl From<chess::Square> for Square {
    fn from(square: chess::Square) -> Square {
        Square::new(square.file() as i8 + 1, square.rank() as i8 + 1)
    }
}

impl From<Square> for chess::Square {
    fn from(square: Square) -> chess::Square {
        let [file, rank] = [square.file(), square.rank()].map(|number| number as usize - 1);
        chess::Square::new(File::ALL[file], Rank::ALL[rank])
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        chess::Square::from(*self).fmt(f)
    }
}

pub const EMPTY: i8 = 0;
pub const PAWN: i8 = 2;
pub const BISHOP: i8 = 6;
pub const KNIGHT: i8 = 7;
pub const ROOK: i8 = 10;
pub const QUEEN: i8 = 19;
/// A king is worth more than everything else together, so a search for material never gives it up.
pub const KING: i8 = 126;
/// The contents of the cells around the board. With either sign it is outside of `EMPTY..=KING`, so a single comparison
/// tells that a cell exists and holds none of one's own pieces.
pub const OFF_BOARD: i8 = 127;

/// Centipawns per point; a pawn has 2 points.
pub const CENTIPAWNS: i32 = 50;

/// The piece that a FEN letter stands for.
pub fn from_letter(letter: char) -> Option<i8> {
    let kind = match letter.to_ascii_lowercase() {
        'p' => PAWN,
        'b' => BISHOP,
        'n' => KNIGHT,
        'r' => ROOK,
        'q' => QUEEN,
        'k' => KING,
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { kind } else { -kind })
}

/// The FEN letter of a piece; `None` if there is no piece.
pub fn letter(piece: i8) -> Option<char> {
    let letter = match piece.abs() {
        PAWN => 'p',
        BISHOP => 'b',
        KNIGHT => 'n',
        ROOK => 'r',
        QUEEN => 'q',
        KING => 'k',
        _ => return None,
    };
    Some(if piece > 0 { letter.to_ascii_uppercase() } else { letter })
}

const CELLS: usize = (Square::LAST - Square::FIRST) as usize + 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox([i8; CELLS]);

impl Mailbox {
    pub fn empty() -> Mailbox {
        let mut board = Mailbox([OFF_BOARD; CELLS]);
        Square::all().for_each(|square| board[square] = EMPTY);
        board
    }

    /// The value of all pieces, positive if White has more.
    pub fn material(&self) -> i32 {
        Square::all().map(|square| i32::from(self[square])).sum()
    }

    pub fn shift(&mut self, from: Square, to: Square) -> i8 {
        let taken = self[to];
        self[to] = self[from];
        self[from] = EMPTY;
        taken
    }
}

impl Index<Square> for Mailbox {
    type Output = i8;

    fn index(&self, square: Square) -> &i8 {
        &self.0[square.index()]
    }
}

impl IndexMut<Square> for Mailbox {
    fn index_mut(&mut self, square: Square) -> &mut i8 {
        &mut self.0[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_every_piece_stays_in_the_array() {
        let board = Mailbox::empty();
        for square in Square::all() {
            for step in [12, 21, 19, 8, -12, -21, -19, -8, 1, -1, 10, -10, 11, -11, 9, -9, 2, -2] {
                assert!(matches!(board[square.step(step)], EMPTY | OFF_BOARD));
            }
        }
    }
}
