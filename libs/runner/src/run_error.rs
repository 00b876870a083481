//! Why a run cannot begin or continue.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::config::InvalidInput;
use crate::journal::JournalError;
use crate::process::EngineError;
use referee::TablebaseError;
use referee::openings::BookError;

/// Why a run cannot begin or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration is invalid, or the games cannot have their own cores.
    #[error(transparent)]
    Config(#[from] InvalidInput),
    /// The book of an engine is missing.
    #[error("{}: expected the Polyglot book of an engine, found no file", .0.display())]
    NoBook(PathBuf),
    /// The openings cannot be read.
    #[error(transparent)]
    Openings(#[from] BookError),
    /// An engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal belongs to another run.
    #[error("{}: the journal was written with another configuration than run.toml", folder.display())]
    OtherRun {
        /// The run folder.
        folder: PathBuf,
    },
    /// The Syzygy tablebases cannot be used.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    /// The journal has a game that the schedule does not have.
    #[error(
        "{}: the journal has a game {game} between other engines than the schedule; expected the games of run.toml",
        folder.display()
    )]
    OtherGame {
        /// The run folder.
        folder: PathBuf,
        /// The number of the game, from 1.
        game: u32,
    },
    /// Another file cannot be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A thread for games cannot be started.
    #[error("cannot start a worker: {0}")]
    Worker(#[source] io::Error),
}
