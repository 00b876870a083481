//! Why a build did not answer: its own doing, or a wrong question.

use anyhow::Error;
use thiserror::Error;

use crate::cli::CliError;
use crate::engines::{EngineSession, SessionError, sessions};
use crate::speed::SpeedError;
use crate::tactics::SolveError;
use runner::EngineConfig;
use runner::process::EngineError;

/// A question without an answer. As text it is the error with its causes.
#[derive(Debug, Error)]
pub enum Unanswered {
    /// The engine is silent or gone, or what it says is no answer.
    #[error("{0:#}")]
    Broke(Error),
    /// The engine cannot be asked so: it has no such option, its program cannot be run, or it does not know the
    /// question.
    #[error("{0:#}")]
    CannotBeAsked(Error),
}

impl Unanswered {
    /// Tells by an error whose doing it is.
    pub fn of(error: impl Into<Error>) -> Unanswered {
        let error = error.into();
        if is_engines_doing(&error) { Unanswered::Broke(error) } else { Unanswered::CannotBeAsked(error) }
    }

    /// What the engine did instead of answering, in a line.
    ///
    /// # Errors
    /// The engine could not be asked, which is the user's to mend.
    pub fn engines_doing(self) -> Result<String, CliError> {
        match self {
            Unanswered::Broke(error) => Ok(error.to_string()),
            Unanswered::CannotBeAsked(error) => Err(CliError::Usage(error)),
        }
    }
}

/// Starts an engine.
///
/// # Errors
/// It breaks while it gets ready, has no such option, or cannot be run.
pub fn start(engine: &EngineConfig) -> Result<EngineSession, Unanswered> {
    sessions::start(engine).map_err(Unanswered::of)
}

fn is_engines_doing(error: &Error) -> bool {
    error.chain().any(|cause| {
        let of_session = cause.downcast_ref::<SessionError>().and_then(|error| match error {
            SessionError::Engine(error) => Some(error),
            SessionError::Runtime(_) => None,
        });
        let broke =
            |error: &EngineError| matches!(error, EngineError::Silent { .. } | EngineError::Ended { .. });
        match cause.downcast_ref::<SpeedError>() {
            Some(SpeedError::Engine(error, _) | SpeedError::NotReady(error)) => broke(error),
            Some(SpeedError::NoNodes(_)) => false,
            None => {
                cause.downcast_ref::<SolveError>().is_some()
                    || of_session.or_else(|| cause.downcast_ref()).is_some_and(broke)
            }
        }
    })
}
