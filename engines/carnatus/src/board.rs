//! The padded board of 120 cells, pieces as letters, and steps between cells ("Cellules et formes").
//!
//! The document prefers letters to numbers because a board of letters can be read while debugging.

use std::fmt;
use std::hash::{Hash, Hasher};

use chess::{Color, board_text};

/// One rank up the board, one file to the right, and back.
pub const N: i8 = -10;
pub const E: i8 = 1;
pub const S: i8 = 10;
pub const W: i8 = -1;

/// A cell, 0 to 119: twelve rows of ten, of which the eight rows 2 to 9 and the eight columns 1 to 8 are the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The corners as the side to move sees them.
    pub const A1: Square = Square(91);
    pub const H1: Square = Square(98);
    pub const A8: Square = Square(21);
    pub const H8: Square = Square(28);

    pub const fn new(file: u8, rank: u8) -> Square {
        Square(91 + file - 10 * rank)
    }

    /// All cells between the corners, row by row from the top, including the padding on both sides.
    pub fn all() -> impl Iterator<Item = Square> {
        (Square::A8.0..=Square::H1.0).map(Square)
    }

    /// The cell one step further. No step from a square of the board leaves the 120 cells.
    pub const fn step(self, direction: i8) -> Square {
        Square(self.0.wrapping_add_signed(direction))
    }

    pub const fn flip(self) -> Square {
        Square(119 - self.0)
    }

    /// Converts a square of the diagram to `side`'s view, or back.
    pub const fn seen_by(self, side: Color) -> Square {
        match side {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    pub const fn midpoint(self, other: Square) -> Square {
        Square(u8::midpoint(self.0, other.0))
    }

    /// The number of cells between two cells in the order of the array.
    pub const fn distance(self, other: Square) -> u8 {
        self.0.abs_diff(other.0)
    }

    pub const fn is_on_second_rank(self) -> bool {
        self.0 / 10 == 8
    }

    pub const fn is_on_last_rank(self) -> bool {
        self.0 / 10 == 2
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<chess::Square> for Square {
    fn from(square: chess::Square) -> Square {
        Square::new(square.file() as u8, square.rank() as u8)
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

/// A letter: capitals are our pieces, small letters theirs, a dot is an empty square and a blank is padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece(pub u8);

impl Piece {
    pub const EMPTY: Piece = Piece(b'.');
    pub const PADDING: Piece = Piece(b' ');
    pub const PAWN: Piece = Piece(b'P');
    pub const KNIGHT: Piece = Piece(b'N');
    pub const BISHOP: Piece = Piece(b'B');
    pub const ROOK: Piece = Piece(b'R');
    pub const QUEEN: Piece = Piece(b'Q');
    pub const KING: Piece = Piece(b'K');

    pub const fn is_ours(self) -> bool {
        self.0.is_ascii_uppercase()
    }

    pub const fn is_theirs(self) -> bool {
        self.0.is_ascii_lowercase()
    }

    /// The same piece of the other side; anything else stays unchanged.
    pub const fn flip(self) -> Piece {
        // Letters have bit 6 set, the dot and the blank do not; bit 5 is the case.
        Piece(self.0 ^ ((self.0 & 0x40) >> 1))
    }

    /// Whether the piece moves one step at a time.
    pub const fn is_crawler(self) -> bool {
        matches!(self, Piece::PAWN | Piece::KNIGHT | Piece::KING)
    }

    /// The steps of one of our pieces; empty for anything else.
    pub const fn directions(self) -> &'static [i8] {
        match self {
            Piece::PAWN => &[N, N + N, N + W, N + E],
            Piece::KNIGHT => {
                &[N + N + E, E + N + E, E + S + E, S + S + E, S + S + W, W + S + W, W + N + W, N + N + W]
            }
            Piece::BISHOP => &[N + E, S + E, S + W, N + W],
            Piece::ROOK => &[N, E, S, W],
            Piece::QUEEN | Piece::KING => &[N, E, S, W, N + E, S + E, S + W, N + W],
            _ => &[],
        }
    }
}

/// Eight by eight squares inside padding that stops every piece before it leaves the array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board([u8; 120]);

impl Board {
    pub fn empty() -> Board {
        let mut board = Board([Piece::PADDING.0; 120]);
        for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
            board.put(Square::new(file, rank), Piece::EMPTY);
        }
        board
    }

    pub const fn get(&self, square: Square) -> Piece {
        Piece(self.0[square.index()])
    }

    pub const fn put(&mut self, square: Square, piece: Piece) {
        self.0[square.index()] = piece.0;
    }

    /// The board as the opponent sees it: rotated by 180 degrees, with the sides exchanged.
    pub fn flip(&self) -> Board {
        let mut cells = self.0.map(|letter| Piece(letter).flip().0);
        cells.reverse();
        Board(cells)
    }

    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        let piece_on = |square| (square, self.get(square));
        Square::all().map(piece_on).filter(|(_, piece)| piece.is_ours() || piece.is_theirs())
    }
}

/// Hashes all cells at once, which is faster than one at a time.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&board_text(|square| Some(char::from(self.get(square.into()).0))))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
