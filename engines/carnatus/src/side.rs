//! The two colours, which see the board from its two ends.
//!
//! [`Position`](super::position::Position) is always that of the side to move; squares and moves of the outside world are
//! translated here, in both directions.

use uci::UciMove;

use super::position::Move;
use super::square::Square;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that sees the board as diagrams show it.
    White,
    /// The side that sees it turned.
    Black,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// A square of the diagram as this side sees it, and the reverse.
    pub const fn sees(self, square: Square) -> Square {
        match self {
            Side::White => square,
            Side::Black => square.flip(),
        }
    }

    /// A move of this side as the protocol writes it.
    ///
    /// # Panics
    /// Never: every move has the form that the protocol asks for.
    pub fn uci(self, mv: Move) -> UciMove {
        let promotion = mv.promotion.map(|piece| char::from(piece.0.to_ascii_lowercase()));
        let (from, to) = (self.sees(mv.from), self.sees(mv.to));
        let text = format!("{from}{to}{}", promotion.map(String::from).unwrap_or_default());
        text.parse().expect("a move is written in the form of one")
    }
}
