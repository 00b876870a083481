//! Why an engine is not ready to play.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::{ProcessEnd, SettingError};

/// What can go wrong outside a search.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("engine {engine}: cannot start {}: {source}", program.display())]
    Start {
        /// The engine's name.
        engine: String,
        /// Its program file.
        program: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The engine did not answer in time.
    #[error("engine {engine}: no {expected} within {} ms", timeout.as_millis())]
    Silent {
        /// The engine's name.
        engine: String,
        /// The word that was waited for.
        expected: &'static str,
        /// How long.
        timeout: Duration,
    },
    /// The engine ended instead of answering.
    #[error("engine {engine}: {end}, expected {expected}{}", complaint.as_deref().unwrap_or_default())]
    Ended {
        /// The engine's name.
        engine: String,
        /// The word that was waited for.
        expected: &'static str,
        /// What became of it.
        end: ProcessEnd,
        /// The last line of its error output, with a separator in front.
        complaint: Option<String>,
    },
    /// An option cannot be set.
    #[error("engine {engine}: {source}")]
    Setting {
        /// The engine's name.
        engine: String,
        /// What is wrong with the option.
        source: Box<SettingError>,
    },
}

/// What is missing of an engine that answered `uci` as engines do that only know the protocol of xboard.
const XBOARD: &str = "uciok (it speaks xboard's protocol, not UCI: give it its own switch for UCI, or start it through \
                      an adapter from xboard to UCI such as Wb2Uci)";

impl EngineError {
    /// The same for an engine that [speaks xboard's protocol](super::speaks_xboard).
    #[must_use]
    pub fn of_xboard(mut self) -> EngineError {
        if let EngineError::Silent { expected, .. } | EngineError::Ended { expected, .. } = &mut self {
            *expected = XBOARD;
        }
        self
    }
}
