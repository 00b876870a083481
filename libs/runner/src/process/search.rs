//! What comes of a search.

use std::time::Duration;

use thiserror::Error;

use super::ProcessEnd;
use uci::{Info, UciMove};

/// An answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move. It has the form of one; whether it is legal is for the referee.
    pub best: UciMove,
    /// The reply the engine expects.
    pub ponder: Option<UciMove>,
    /// The last state of the search that the engine reported.
    pub info: Option<Box<Info>>,
    /// The first move of the last line that came after that of `info`, with a bound for a score or with none: a search
    /// that is broken off after a fail high plays it.
    pub later_move: Option<UciMove>,
    /// For each pattern of [`keep_lines`](super::EngineProcess::keep_lines) the last line that matched it.
    pub lines: Vec<String>,
    /// How many lines with `bestmove` lay in the pipe before the question was asked; they were thrown away.
    pub unasked: u32,
    /// From the last byte of `go` to the line with `bestmove`.
    pub elapsed: Duration,
}

/// Why a search brought no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// The deadline passed, and the engine is still silent.
    #[error("no bestmove after {} ms", elapsed.as_millis())]
    Timeout {
        /// How long we waited.
        elapsed: Duration,
    },
    /// The engine was told to stop thinking about a move that was not played, and still does.
    #[error("no bestmove within {} ms of `stop`", timeout.as_millis())]
    StopIgnored {
        /// How long we waited.
        timeout: Duration,
    },
    /// The engine went away.
    #[error("{0}")]
    Ended(ProcessEnd),
    /// The engine says that it has no move.
    #[error("the engine answered `{line}` instead of a move")]
    NoMove {
        /// The line as it came.
        line: String,
    },
    /// The answer is no move by its form.
    #[error("the engine answered `{line}`, which is no move")]
    Unreadable {
        /// The line as it came.
        line: String,
    },
}
