//! Errors in a FEN, for engines with a board of their own.

use thiserror::Error;

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Not the fields of a FEN.
    #[error("a FEN has four to six fields, found {0}")]
    Fields(usize),
    /// A field that cannot be read.
    #[error("FEN field {field}: expected {expected}, found `{found}`")]
    Field {
        /// Which one, by number and name.
        field: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Readable, but not a legal position.
    #[error("the position is illegal: {0}")]
    Illegal(&'static str),
}

impl FenError {
    /// A field that cannot be read.
    pub fn field(field: &'static str, expected: &'static str, found: &str) -> FenError {
        FenError::Field { field, expected, found: found.to_owned() }
    }
}
