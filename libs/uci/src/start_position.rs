//! Where the moves of a `position` command start from.

use std::fmt;

/// The position before the moves of a `position` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartPosition {
    /// The start position of standard chess.
    #[default]
    Startpos,
    /// A position as FEN text, not yet checked.
    Fen(String),
}

impl fmt::Display for StartPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartPosition::Startpos => f.write_str("startpos"),
            StartPosition::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}
