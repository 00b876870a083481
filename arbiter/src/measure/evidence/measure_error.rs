//! Why a measurement failed: by a fault of the engine, or by wrong usage.

use anyhow::Error;
use thiserror::Error;

use crate::cli::CliError;
use crate::engines::{EngineSession, SessionError, sessions};
use crate::measure::speed::SpeedError;
use crate::measure::tactics::SolveError;
use runner::EngineConfig;
use runner::process::EngineError;

/// A measurement that failed. `Display` gives the error with its causes.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// The engine hangs, has ended, or gives a wrong answer.
    #[error("{0:#}")]
    EngineFault(Error),
    /// The engine lacks an option, its program cannot be run, or it does not support the command.
    #[error("{0:#}")]
    Usage(Error),
}

impl MeasureError {
    pub fn of(error: impl Into<Error>) -> MeasureError {
        let error = error.into();
        if is_engine_fault(&error) { MeasureError::EngineFault(error) } else { MeasureError::Usage(error) }
    }

    /// The fault of the engine, in a line.
    pub fn engine_fault(self) -> Result<String, CliError> {
        match self {
            MeasureError::EngineFault(error) => Ok(error.to_string()),
            MeasureError::Usage(error) => Err(CliError::Usage(error)),
        }
    }
}

pub fn start(engine: &EngineConfig) -> Result<EngineSession, MeasureError> {
    sessions::start(engine).map_err(MeasureError::of)
}

/// Starts an engine for the first time, and warns of what it says about its options.
pub fn introduce(engine: &EngineConfig) -> Result<EngineSession, MeasureError> {
    sessions::introduce(engine).map_err(MeasureError::of)
}

fn is_engine_fault(error: &Error) -> bool {
    error.chain().any(|cause| {
        let of_session = cause.downcast_ref::<SessionError>().and_then(|error| match error {
            SessionError::Engine(error) => Some(error),
            SessionError::Runtime(_) => None,
        });
        let is_fault =
            |error: &EngineError| matches!(error, EngineError::Silent { .. } | EngineError::Ended { .. });
        match cause.downcast_ref::<SpeedError>() {
            Some(SpeedError::Engine(error, _) | SpeedError::NotReady(error)) => is_fault(error),
            Some(SpeedError::NoNodes(_)) => false,
            None => {
                cause.downcast_ref::<SolveError>().is_some()
                    || of_session.or_else(|| cause.downcast_ref()).is_some_and(is_fault)
            }
        }
    })
}
