use thiserror::Error;

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
