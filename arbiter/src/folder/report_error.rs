//! Errors in writing or reading the files of a run.

use std::io;
use std::path::{Path, PathBuf};

use referee::FenError;
use runner::JournalError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ReportError {
    #[error("{}: the folder exists and is not empty; choose another, or resume the run in it", .0.display())]
    FolderExists(PathBuf),
    #[error("{}: {source}; choose another folder with --out DIR", .path.display())]
    CannotCreate { path: PathBuf, source: io::Error },
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("run.toml: {0}")]
    Config(#[from] toml::ser::Error),
    #[error("summary.json: {0}")]
    Summary(#[from] serde_json::Error),
    #[error("game {}, field `opening.fen`: {source}", .game + 1)]
    OpeningFen { game: u32, source: FenError },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ReportError {
    /// For `map_err`: names the file that an error belongs to.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> ReportError {
        move |source| ReportError::Io { path: path.to_owned(), source }
    }
}
