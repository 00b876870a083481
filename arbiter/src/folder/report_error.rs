//! Why a report could not be written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use referee::FenError;
use runner::JournalError;

/// A report that could not be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The run folder is already there and has something in it.
    #[error("{}: the folder exists and is not empty; choose another, or resume the run in it", .0.display())]
    FolderExists(PathBuf),
    /// A file could not be written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The configuration cannot be written as TOML.
    #[error("run.toml: {0}")]
    Config(#[from] toml::ser::Error),
    /// The summary cannot be written as JSON.
    #[error("summary.json: {0}")]
    Summary(#[from] serde_json::Error),
    /// A game's record starts from a position that is none.
    #[error("game {}, field `opening.fen`: {source}", .game + 1)]
    OpeningFen {
        /// Index of the game in the schedule, from 0.
        game: u32,
        /// What is wrong with the position.
        source: FenError,
    },
    /// The journal of a run cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The terminal could not be written to.
    #[error("the terminal: {0}")]
    Terminal(#[source] io::Error),
}

impl ReportError {
    /// For `map_err`: names the file that an error belongs to.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> ReportError {
        move |source| ReportError::Io { path: path.to_owned(), source }
    }
}
