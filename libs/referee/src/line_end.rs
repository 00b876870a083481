//! Moves that are refused, and the end of a line of moves.

use shakmaty::Position;
use thiserror::Error;

use super::{Referee, walk};

/// A text that is not a legal move in its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {text:?} is {reason} in {fen}")]
pub struct IllegalMove {
    /// The text as it came.
    pub text: String,
    /// The position it was meant for.
    pub fen: String,
    /// What is wrong with it.
    pub reason: IllegalReason,
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalReason {
    /// Not a move in the expected notation.
    #[error("not in UCI notation (expected something like e2e4 or e7e8q)")]
    Unparsable,
    /// A move, but not one that the rules allow here.
    #[error("not legal")]
    Illegal,
}

/// A line of moves that stops being legal on the way.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("after {legal} legal moves, {cause}")]
pub struct BrokenLine {
    /// The number of legal moves from the start: the index of the illegal one.
    pub legal: usize,
    /// The move that is not.
    #[source]
    pub cause: IllegalMove,
}

/// The position at the end of a line, as far as the rules of mate go; draws by repetition or the fifty moves do not
/// count here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The game is not over.
    Open,
}

impl Referee {
    /// Follows a line of moves as [`check_line`](Self::check_line) does, and says where it ends.
    ///
    /// # Errors
    /// [`BrokenLine`] with the number of moves that are legal and the first that is not.
    pub fn line_end(&self, line: &[impl AsRef<str>]) -> Result<LineEnd, BrokenLine> {
        let last = walk(&self.position, self.variant, line, |_, _| ())?;
        Ok(if !last.legal_moves().is_empty() {
            LineEnd::Open
        } else if last.is_check() {
            LineEnd::Checkmate
        } else {
            LineEnd::Stalemate
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn a_line_ends_in_mate_in_stalemate_or_not_at_all() {
        let start = Referee::new(Variant::Standard);
        assert_eq!(start.line_end(&["f2f3", "e7e5", "g2g4", "d8h4"]), Ok(LineEnd::Checkmate));
        assert_eq!(start.line_end(&["f2f3", "e7e5"]), Ok(LineEnd::Open));
        assert_eq!(start.line_end(&["f2f3", "e7e4"]).unwrap_err().legal, 1);
        let cornered = Referee::from_fen("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", Variant::Standard).unwrap();
        assert_eq!(cornered.line_end(&["c1c7"]), Ok(LineEnd::Stalemate));
        assert_eq!(cornered.line_end(&["c1c8"]), Ok(LineEnd::Checkmate));
    }
}
