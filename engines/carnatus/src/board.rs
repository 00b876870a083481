//! The 120 cells ("Cellules et formes").

use std::fmt;
use std::hash::{Hash, Hasher};

use super::piece::Piece;
use super::square::Square;

/// Eight by eight squares within a padding that stops every piece before it leaves the cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board([u8; 120]);

impl Board {
    /// A board without pieces.
    pub fn empty() -> Board {
        let mut board = Board([Piece::PADDING.0; 120]);
        for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
            board.put(Square::new(file, rank), Piece::EMPTY);
        }
        board
    }

    /// What is on a cell.
    pub const fn get(&self, square: Square) -> Piece {
        Piece(self.0[square.index()])
    }

    /// Puts a piece on a cell, in the place of what was there.
    pub const fn put(&mut self, square: Square, piece: Piece) {
        self.0[square.index()] = piece.0;
    }

    /// The board as the opponent sees it: turned by half a turn, with the sides exchanged.
    #[must_use]
    pub fn flip(&self) -> Board {
        let mut cells = self.0.map(|letter| Piece(letter).flip().0);
        cells.reverse();
        Board(cells)
    }

    /// The pieces of both sides with their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        let piece_on = |square| (square, self.get(square));
        Square::all().map(piece_on).filter(|(_, piece)| piece.is_ours() || piece.is_theirs())
    }
}

/// All cells in one go, which is faster than one at a time.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

/// Eight lines, the last rank of the side to move first.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{}", rank + 1)?;
            for file in 0..8 {
                write!(f, " {}", char::from(self.get(Square::new(file, rank)).0))?;
            }
            writeln!(f)?;
        }
        write!(f, "  a b c d e f g h")
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
