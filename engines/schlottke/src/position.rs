//! The record `tPosition` (section III-D): the board and what a game needs beside it.

use super::castling_rights::CastlingRights;
use super::mailbox::Mailbox;
use super::pieces;
use super::side::Side;
use super::square::Square;

/// A position. It is copied before each move that the search tries, never taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// What stands where.
    pub board: Mailbox,
    /// Which castlings are still allowed.
    pub castling: CastlingRights,
    /// For each side, the square that its pawn passed over with a double step if that was its last move.
    pub passed: [Option<Square>; 2],
    /// Who is to move.
    pub side: Side,
    /// What was won since the position was set up, positive for White. It begins at 0 whatever stands on the board.
    pub balance: i32,
}

impl Position {
    /// The same position with the other side to move.
    #[must_use]
    pub fn with_other_side(mut self) -> Position {
        self.side = self.side.other();
        self
    }

    /// The kind of piece on `square` if the side to move owns it; 0 or less, or [`pieces::OFF_BOARD`], otherwise.
    pub fn own(&self, square: Square) -> i8 {
        self.board[square] * self.side.sign()
    }

    /// Whether a piece of the side to move may go to `square`: the cell exists, and nothing of one's own is there.
    pub fn may_enter(&self, square: Square) -> bool {
        (pieces::EMPTY..=pieces::KING).contains(&-self.own(square))
    }
}
