//! Errors on their way to the user: whose fault it was decides the exit code.

use std::{io, process};

#[derive(Debug)]
pub enum CliError {
    /// The user can mend it: wrong usage, configuration or input.
    Usage(anyhow::Error),
    /// The user cannot: the disk, the system, or a bug.
    Fault(anyhow::Error),
}

pub fn is_closed_pipe(error: &io::Error) -> bool {
    /// What Wine says of it.
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

    /// Whether nobody reads any more what the command writes, as behind `| head`: whoever closed the pipe has seen
    /// enough and needs no message. The pipes to engines have errors of their own.
    pub fn is_closed_output(&self) -> bool {
        let (CliError::Usage(error) | CliError::Fault(error)) = self;
        error.downcast_ref().is_some_and(is_closed_pipe)
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

pub type CliResult = Result<ExitCode, CliError>;

/// Says whose fault an error is at the place where it passes.
pub trait OrExitCode<T> {
    fn usage(self) -> Result<T, CliError>;

    fn fault(self) -> Result<T, CliError>;

    /// It is about a file or a folder that the user chose. What is wrong with the path is for the user to mend: it is
    /// taken, or nothing can be made there. A full or broken disk is not.
    fn of_path(self) -> Result<T, CliError>;
}

/// What a system says of a path where nothing can be made.
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
    /// Done, and nothing wrong; with SPRT, H1 was accepted.
    Done = 0,
    /// A regression: a required position missed, a count that differs, or H0 accepted.
    Regression = 1,
    /// Wrong usage or configuration. Nothing was played.
    Usage = 2,
    /// The run ended before an SPRT reached a bound.
    Inconclusive = 3,
    /// An engine broke (crash, stall, illegal move) where the run was asked to be strict, or failed a check of the
    /// protocol, or broke in `arbiter perft`, `arbiter tactics`, `arbiter play` or `arbiter ci`.
    EngineBroke = 4,
    /// Internal error: the disk, the system, or a bug. There is no message if the reader of the output closed the pipe.
    InternalError = 5,
}

impl ExitCode {
    pub const HELP: &str = "Exit codes:
  0  success (SPRT: H1 accepted)
  1  regression, or H0 accepted; reproduce: the fault came
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
