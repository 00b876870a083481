//! Errors in lines of the protocol.

use thiserror::Error;

/// Why a line is not a valid command or message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The line is empty or holds only blanks.
    #[error("the line is empty")]
    Empty,
    /// The first word is not one that this side of the protocol knows.
    #[error("unknown word `{0}`")]
    Unknown(String),
    /// A word that needs a value is the last of its line.
    #[error("`{0}` needs a value")]
    Missing(&'static str),
    /// A value cannot be read.
    #[error("`{field}` expects {expected}, found `{found}`")]
    Invalid {
        /// The word that the value belongs to.
        field: &'static str,
        /// The expected form.
        expected: &'static str,
        /// The text in its place.
        found: String,
    },
}
