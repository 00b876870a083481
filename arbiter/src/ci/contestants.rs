//! The builds that take part: the one in question, and the one that it is held against.

use std::iter;

use anyhow::{Error, Result};

use super::plan::CiPlan;
use crate::cli::{Blame, CliError, console};
use crate::engines::{self, EngineSession, EngineSpec, SessionError, sessions};
use crate::speed::SpeedError;
use crate::tactics::SolveError;
use runner::EngineConfig;
use runner::process::EngineError;

/// The programs, found and built.
#[derive(Clone, Debug)]
pub struct Contestants {
    /// The build in question.
    pub engine: EngineConfig,
    /// The one that it is held against, under another name.
    pub against: Option<EngineConfig>,
}

impl Contestants {
    /// Finds the programs, and builds what is to be built. The second one only where a step needs it.
    ///
    /// # Errors
    /// One of them is not there, or its build fails.
    pub fn find(plan: &CiPlan) -> Result<Contestants> {
        let is_needed = plan.speed.is_some() || plan.games.is_some();
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Contestants { engine, against: found.next() })
    }

    /// The build to be held against, unless it is the very same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let EngineConfig { sha256, args, options, .. } = &self.engine;
        let is_same =
            |other: &EngineConfig| (&other.sha256, &other.args, &other.options) == (sha256, args, options);
        self.against.as_ref().filter(|other| !is_same(other))
    }
}

/// What came of asking an engine: an answer, or what it did instead.
pub type Answered<T> = Result<T, String>;

/// Starts an engine. What it does wrong itself is told apart from a wrong configuration.
///
/// # Errors
/// The configuration is wrong: there is no such option, or the program cannot be run.
pub fn start(engine: &EngineConfig) -> Result<Answered<EngineSession>, CliError> {
    sessions::start(engine).map_or_else(|error| told_apart(error).map(Err), |session| Ok(Ok(session)))
}

/// An error that is the engine's own doing, as text.
///
/// # Errors
/// The error, when it is the user's to mend.
pub fn told_apart(error: Error) -> Result<String, CliError> {
    if is_engines_doing(&error) { Ok(error.to_string()) } else { Err(error).usage() }
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
