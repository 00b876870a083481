//! Moves: two squares (section III-A), `e2e4` being 5254 there. A pawn that arrives becomes a queen without saying so.

use std::fmt;

use arrayvec::ArrayVec;

use super::square::Square;

/// A move from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// The moves of a position. The article has room for 100 and doubts in a note that it is always enough; 218 is the
/// largest number known in a game, and moves that leave the king in check come on top.
pub type MoveList = ArrayVec<Move, 256>;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}
