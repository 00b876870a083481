//! Measurements of a build: perft, tactics, speed, bench, the protocol, and games.
//!
//! A [`Table`](measurement::Table) of `arbiter.toml` becomes a [`Measurement`](measurement::Measurement), which yields a
//! [`Judgement`] and a record for the [`Baseline`]. `ci`, `bisect` and `init` are loops over the measurements in `list.rs`;
//! a new one is a file, and a line there.

pub mod bench;
pub mod check;
mod engine_features;
mod game_faults;
pub mod games;
mod judgement;
mod list;
pub mod measurement;
pub mod perft;
pub mod sanitize;
pub mod speed;
pub mod tactics;

pub use engine_features::{EngineFeatures, TriedEngine};
pub use judgement::Judgement;
pub use list::{Baseline, CiFile, Step};

use anyhow::Error;
use thiserror::Error as ThisError;

use crate::cli::CliError;
use runner::process::EngineError;

/// A measurement that failed. `Display` gives the error with its causes.
#[derive(Debug, ThisError)]
pub enum MeasureError {
    /// The engine hangs, has ended, or gives a wrong answer.
    #[error("{0:#}")]
    EngineFault(Error),
    /// The engine lacks an option, its program cannot be run, or it does not support the command.
    #[error("{0:#}")]
    Usage(Error),
    /// The command cannot go on.
    #[error("{}", .0.message())]
    Command(CliError),
    /// The user has interrupted the games of a series.
    #[error("interrupted")]
    Interrupted,
}

impl MeasureError {
    fn new(error: impl Into<Error>, is_engine_fault: bool) -> MeasureError {
        if is_engine_fault {
            MeasureError::EngineFault(error.into())
        } else {
            MeasureError::Usage(error.into())
        }
    }

    pub fn engine_fault(self) -> Result<String, CliError> {
        match self {
            MeasureError::EngineFault(error) => Ok(error.to_string()),
            MeasureError::Usage(error) => Err(CliError::Usage(error)),
            MeasureError::Command(error) => Err(error),
            MeasureError::Interrupted => Ok("interrupted".to_owned()),
        }
    }
}

/// An error of an engine's process tells whether the engine failed; any other is for the user to mend.
impl From<Error> for MeasureError {
    fn from(error: Error) -> MeasureError {
        error.downcast().map_or_else(MeasureError::Usage, EngineError::into)
    }
}

impl From<CliError> for MeasureError {
    fn from(error: CliError) -> MeasureError {
        MeasureError::Command(error)
    }
}

impl From<EngineError> for MeasureError {
    fn from(error: EngineError) -> MeasureError {
        let is_fault = is_engine_fault(&error);
        MeasureError::new(error, is_fault)
    }
}

fn is_engine_fault(error: &EngineError) -> bool {
    matches!(error, EngineError::Silent { .. } | EngineError::Ended { .. })
}
