//! The contents of a cell, as a letter ("Cellules et formes").
//!
//! The document prefers letters to numbers, because a board of letters can be read while debugging.

use super::square::{E, N, S, W};

/// A letter: capitals are ours, small letters theirs, a dot is an empty square and a blank the padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece(pub u8);

impl Piece {
    /// A square without a piece.
    pub const EMPTY: Piece = Piece(b'.');
    /// A cell around the board.
    pub const PADDING: Piece = Piece(b' ');
    /// Our pawn.
    pub const PAWN: Piece = Piece(b'P');
    /// Our knight.
    pub const KNIGHT: Piece = Piece(b'N');
    /// Our bishop.
    pub const BISHOP: Piece = Piece(b'B');
    /// Our rook.
    pub const ROOK: Piece = Piece(b'R');
    /// Our queen.
    pub const QUEEN: Piece = Piece(b'Q');
    /// Our king.
    pub const KING: Piece = Piece(b'K');

    /// Whether the piece belongs to the side to move.
    pub const fn is_ours(self) -> bool {
        self.0.is_ascii_uppercase()
    }

    /// Whether the piece belongs to the opponent.
    pub const fn is_theirs(self) -> bool {
        self.0.is_ascii_lowercase()
    }

    /// The same piece of the other side; what is no piece stays what it is.
    pub const fn flip(self) -> Piece {
        // Letters have bit 6 set, the dot and the blank have not; bit 5 is the case.
        Piece(self.0 ^ ((self.0 & 0x40) >> 1))
    }

    /// Whether the piece moves one step at a time.
    pub const fn is_crawler(self) -> bool {
        matches!(self, Piece::PAWN | Piece::KNIGHT | Piece::KING)
    }

    /// The steps of one of our pieces; none for anything else.
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
