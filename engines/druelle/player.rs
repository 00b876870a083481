//! A player, with the list of their pieces (section 3.6.2).

use super::piece::PieceId;
use super::square::Square;

/// Which player; the document's `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Begins.
    White,
    /// Answers.
    Black,
}

impl Side {
    /// The document's `adverse`.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The index into pairs of things, White first.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction in which pawns go.
    pub const fn forward(self) -> i8 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The line that is this many lines from the player's own first, counted from 0.
    pub const fn line(self, from_own: i8) -> i8 {
        match self {
            Side::White => from_own,
            Side::Black => 7 - from_own,
        }
    }
}

/// The pieces of a player and what they may still do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The pieces on the board, so that nobody has to look for them there.
    pub pieces: Vec<PieceId>,
    /// The king, which checks are about.
    pub king: PieceId,
    /// The sum of the values of the pieces, in centipawns, kept as pieces come and go (section 2.4).
    pub material: i32,
    /// The square that a pawn of this player has just passed and where it can be taken this turn: the document's
    /// `PrisePassant` and `positionPrisePassant` in one.
    pub en_passant: Option<Square>,
    /// Whether the player may still castle on the king's and on the queen's side. The document says "once in a game"
    /// and keeps no account of it.
    pub castling: [bool; 2],
}
