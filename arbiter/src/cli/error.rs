//! Errors on their way to the user. Whether the user can fix an error decides the exit code.

use std::{io, process};

#[derive(Debug)]
pub enum CliError {
    /// The user can fix it: wrong usage, configuration or input.
    Usage(anyhow::Error),
    /// The user cannot fix it: the disk, the system, or a bug.
    Fault(anyhow::Error),
}

pub fn is_closed_pipe(error: &io::Error) -> bool {
    /// The error code for a broken pipe under Wine.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

impl CliError {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CliError::Usage(_) => ExitCode::Usage,
            CliError::Fault(_) => ExitCode::InternalError,
        }
    }

    /// Whether the error is that the output is a closed pipe, as with `| head`: that needs no message. Errors of pipes
    /// to engines have other types.
    pub fn is_closed_output(&self) -> bool {
        let (CliError::Usage(error) | CliError::Fault(error)) = self;
        error.downcast_ref().is_some_and(is_closed_pipe)
    }

    /// The error and its causes, joined by colons, without the causes that the text so far already contains.
    pub fn message(&self) -> String {
        let (CliError::Usage(error) | CliError::Fault(error)) = self;
        error.chain().fold(String::new(), |text, cause| match cause.to_string().trim_end() {
            cause if text.contains(cause) => text,
            cause if text.is_empty() => cause.to_owned(),
            cause => format!("{text}: {cause}"),
        })
    }
}

pub type CliResult = Result<ExitCode, CliError>;

/// Turns an error into a [`CliError`] where it is known who can fix it.
pub trait OrExitCode<T> {
    fn usage(self) -> Result<T, CliError>;

    fn fault(self) -> Result<T, CliError>;

    /// For errors of a file or a folder that the user chose. The user can fix a wrong path (it exists already, or
    /// nothing can be created there), but not a full or broken disk.
    fn of_path(self) -> Result<T, CliError>;
}

/// Errors that systems return for a path where nothing can be created.
const WRONG_PATH: [io::ErrorKind; 8] = [
    io::ErrorKind::AlreadyExists,
    io::ErrorKind::DirectoryNotEmpty,
    io::ErrorKind::InvalidFilename,
    io::ErrorKind::IsADirectory,
    io::ErrorKind::NotADirectory,
    io::ErrorKind::NotFound,
    io::ErrorKind::PermissionDenied,
    io::ErrorKind::ReadOnlyFilesystem,
];

impl<T, E: Into<anyhow::Error>> OrExitCode<T> for Result<T, E> {
    fn usage(self) -> Result<T, CliError> {
        self.map_err(|error| CliError::Usage(error.into()))
    }

    fn fault(self) -> Result<T, CliError> {
        self.map_err(|error| CliError::Fault(error.into()))
    }

    fn of_path(self) -> Result<T, CliError> {
        self.map_err(|error| {
            let error = error.into();
            let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
            let is_wrong = causes.all(|cause| WRONG_PATH.contains(&cause.kind()));
            if is_wrong { CliError::Usage(error) } else { CliError::Fault(error) }
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Success; with SPRT, H1 was accepted.
    Done = 0,
    /// A regression: a required position missed, a count that differs, or H0 accepted.
    Regression = 1,
    /// Wrong usage or configuration. Nothing was played.
    Usage = 2,
    /// The run ended before an SPRT reached a bound.
    Inconclusive = 3,
    /// An engine fault (crash, stall, illegal move) in a strict run or in perft, tactics, play or ci, or a failed check
    /// of the protocol.
    EngineBroke = 4,
    /// Internal error: the disk, the system, or a bug. There is no message if the reader of the output closed the pipe.
    InternalError = 5,
}

impl ExitCode {
    pub const HELP: &str = "Exit codes:
  0  success (SPRT: H1 accepted)
  1  regression, or H0 accepted; reproduce: the fault occurred
  2  wrong usage or configuration; nothing was played
  3  inconclusive: the run ended before the SPRT reached a bound
  4  an engine fault (crash, stall, illegal move): with --strict, or in check, perft, tactics, play, ci
  5  internal error: the disk, the system, or a bug; no message if the output is a closed pipe";
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> process::ExitCode {
        process::ExitCode::from(code as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_for_the_user_to_mend_and_a_full_disk_is_not() {
        let code = |kind: io::ErrorKind| {
            let refused: Result<(), _> = Err(anyhow::Error::from(io::Error::from(kind)).context("--out run"));
            refused.of_path().unwrap_err().exit_code()
        };
        assert_eq!(code(io::ErrorKind::AlreadyExists), ExitCode::Usage);
        assert_eq!(code(io::ErrorKind::PermissionDenied), ExitCode::Usage);
        assert_eq!(code(io::ErrorKind::StorageFull), ExitCode::InternalError);
        let said: Result<(), _> = Err(anyhow::anyhow!("the folder is not empty"));
        assert_eq!(said.of_path().unwrap_err().exit_code(), ExitCode::Usage);
    }
}
