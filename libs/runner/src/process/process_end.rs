//! How an engine left us.

use std::fmt;
use std::process::ExitStatus;

/// What became of an engine whose output ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The process ended.
    Exited(ExitStatus),
    /// The process lives, but has closed its input or its output.
    Disconnected,
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessEnd::Exited(status) => write_status(f, *status),
            ProcessEnd::Disconnected => f.write_str("the engine closed its input or its output and lives on"),
        }
    }
}

fn write_status(f: &mut fmt::Formatter<'_>, status: ExitStatus) -> fmt::Result {
    match status.code() {
        Some(code) => write!(f, "the engine ended with exit code {code}"),
        // The system's own text, `signal: 6 (SIGABRT)`.
        None => write!(f, "the engine was ended by {}", status.to_string().replacen(": ", " ", 1)),
    }
}
