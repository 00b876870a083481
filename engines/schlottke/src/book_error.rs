//! Why a book of openings cannot be used.

use std::io;

use referee::IllegalMove;
use thiserror::Error;

/// What is wrong with a book, and where.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{file}: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A line is not made of moves of four characters.
    #[error(
        "{file}:{line}: expected moves of four characters without blanks, such as e2e4e7e5, found `{found}`"
    )]
    Malformed {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What it says.
        found: String,
    },
    /// The rules do not allow a move.
    #[error("{file}:{line}: move {number} of the line: {cause}")]
    Illegal {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Which move of the line, from 1.
        number: usize,
        /// What the referee says.
        cause: IllegalMove,
    },
    /// No line has a move.
    #[error("{file}: expected lines of moves, found none")]
    Empty {
        /// The file.
        file: String,
    },
}
