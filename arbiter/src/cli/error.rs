//! Errors on their way to the user: whose fault it was decides the exit code.

use std::io;

use super::exit_code::ExitCode;

/// Why a command could not do its work.
#[derive(Debug)]
pub enum CliError {
    /// The user can mend it: wrong usage, configuration or input.
    Usage(anyhow::Error),
    /// The user cannot: the disk, the system, or a bug.
    Fault(anyhow::Error),
}

impl CliError {
    /// The exit code that says whose fault it was.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CliError::Usage(_) => ExitCode::Usage,
            CliError::Fault(_) => ExitCode::InternalError,
        }
    }

    /// Whether nobody reads any more what the command writes, as behind `| head`: whoever closed the pipe has seen
    /// enough and needs no message. The pipes to engines have errors of their own.
    pub fn is_closed_output(&self) -> bool {
        let (CliError::Usage(error) | CliError::Fault(error)) = self;
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error and its causes, joined by colons. A cause that an error already tells in its own text is not repeated.
    pub fn message(&self) -> String {
        let (CliError::Usage(error) | CliError::Fault(error)) = self;
        error.chain().fold(String::new(), |text, cause| match cause.to_string().trim_end() {
            cause if text.contains(cause) => text,
            cause if text.is_empty() => cause.to_owned(),
            cause => format!("{text}: {cause}"),
        })
    }
}

/// What a command returns.
pub type CliResult = Result<ExitCode, CliError>;

/// Says whose fault an error is at the place where it passes.
pub trait Blame<T> {
    /// The user can mend it.
    ///
    /// # Errors
    /// The error, marked.
    fn usage(self) -> Result<T, CliError>;

    /// The user cannot mend it.
    ///
    /// # Errors
    /// The error, marked.
    fn fault(self) -> Result<T, CliError>;
}

impl<T, E: Into<anyhow::Error>> Blame<T> for Result<T, E> {
    fn usage(self) -> Result<T, CliError> {
        self.map_err(|error| CliError::Usage(error.into()))
    }

    fn fault(self) -> Result<T, CliError> {
        self.map_err(|error| CliError::Fault(error.into()))
    }
}
