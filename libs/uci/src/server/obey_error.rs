//! Why a command was not obeyed.

use std::io;

use thiserror::Error;

/// Why a command was not obeyed.
#[derive(Debug, Error)]
pub enum ObeyError {
    /// What is wrong with it, for people.
    #[error("{0}")]
    Refused(String),
    /// The answer cannot be written, or no thread can be started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<String> for ObeyError {
    fn from(refusal: String) -> ObeyError {
        ObeyError::Refused(refusal)
    }
}
