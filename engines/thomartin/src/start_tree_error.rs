//! Why a tree of openings cannot be used.

use std::io;

use referee::IllegalMove;
use thiserror::Error;

/// What is wrong with a tree, and where.
#[derive(Debug, Error)]
pub enum StartTreeError {
    /// The file cannot be read.
    #[error("{file}: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A line stands at no level of the tree.
    #[error("{file}:{line}: expected two blanks for each level, at most one level below the line above")]
    Level {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// The rules do not allow a move.
    #[error("{file}:{line}: {cause}")]
    Illegal {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the referee says.
        cause: IllegalMove,
    },
    /// A move stands twice below the same move.
    #[error("{file}:{line}: expected each move once, found `{found}` again")]
    Twice {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The move.
        found: String,
    },
    /// There is no move.
    #[error("{file}: expected moves, found none")]
    Empty {
        /// The file.
        file: String,
    },
}
