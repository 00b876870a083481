//! Errors of an engine outside a search, and how its process ended.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::{Expected, SettingError};

/// An error of an engine outside a search.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("engine {engine}: cannot start {}: {source}", program.display())]
    Start {
        /// The engine's name.
        engine: String,
        /// Its program file.
        program: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The engine did not answer in time.
    #[error("engine {engine}: no {expected} within {} ms{}", timeout.as_millis(), if_slow(*expected))]
    Silent {
        /// The engine's name.
        engine: String,
        /// What was expected.
        expected: Expected,
        /// The time limit.
        timeout: Duration,
    },
    /// The engine ended instead of answering.
    #[error("engine {engine}: {end}, expected {expected}{}", complaint.as_deref().unwrap_or_default())]
    Ended {
        /// The engine's name.
        engine: String,
        /// What was expected.
        expected: Expected,
        /// What happened to the process.
        end: ProcessEnd,
        /// The last line of its standard error, with a separator in front.
        complaint: Option<String>,
    },
    /// A file of the engine is no longer what it was at the start of the run.
    #[error("engine {engine}: {role} is not what it was at the start of the run: {}", path.display())]
    Changed {
        /// The engine's name.
        engine: String,
        /// What the file is to the engine.
        role: String,
        /// The path of the file.
        path: PathBuf,
    },
    /// The engine cannot be timed by CPU time.
    #[error("engine {engine}: it cannot be timed by CPU time: {obstacle}")]
    Clock {
        /// The engine's name.
        engine: String,
        /// Why not.
        obstacle: String,
    },
    /// The engine cannot be asked for this in its protocol.
    #[error("engine {engine}: {obstacle}")]
    Unable {
        /// The engine's name.
        engine: String,
        /// Why not, and what can be done instead.
        obstacle: String,
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

/// A hint on how to allow more time to an engine that starts slowly.
fn if_slow(expected: Expected) -> &'static str {
    match expected {
        Expected::Introduction(_) | Expected::Ready(_) => {
            "; if it needs longer: start_timeout=2m behind its name or in its manifest, or `ready` in a run file"
        }
        Expected::Answer(_) => "",
    }
}

impl EngineError {
    /// Whether the engine was started but never introduced itself.
    pub const fn is_of_introduction(&self) -> bool {
        let (EngineError::Silent { expected, .. } | EngineError::Ended { expected, .. }) = self else {
            return false;
        };
        matches!(expected, Expected::Introduction(_))
    }
}

/// What happened to an engine whose output ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The process ended.
    Exited(ExitStatus),
    /// The process still runs but has closed its input or its output.
    Disconnected,
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessEnd::Exited(status) => write_status(f, *status),
            ProcessEnd::Disconnected => f.write_str("the engine closed its input or its output but runs on"),
        }
    }
}

fn write_status(f: &mut fmt::Formatter<'_>, status: ExitStatus) -> fmt::Result {
    match status.code() {
        Some(code) if cfg!(windows) && code < 0 => {
            let what = windows_status(code as u32).map(|what| format!(" ({what})")).unwrap_or_default();
            write!(f, "the engine ended with exit code {code:#010X}{what}")
        }
        Some(code) => write!(f, "the engine ended with exit code {code}"),
        // The system's text looks like `signal: 6 (SIGABRT)`.
        None => write!(f, "the engine was ended by {}", status.to_string().replacen(": ", " ", 1)),
    }
}

/// The meaning of a Windows code with which a program ended (learn.microsoft.com, "NTSTATUS Values").
fn windows_status(code: u32) -> Option<&'static str> {
    Some(match code {
        0xC000_0005 => "access violation",
        0xC000_001D => "illegal instruction: is it built for a newer processor?",
        0xC000_007B => "a DLL that it needs is of another architecture",
        0xC000_0094 => "integer division by zero",
        0xC000_00FD => "stack overflow",
        0xC000_0135 => "a DLL that it needs is missing",
        0xC000_0139 => "a DLL that it needs is of another version",
        0xC000_013A => "ended by Ctrl-C",
        0xC000_0409 => "abort or buffer overrun",
        _ => return None,
    })
}
