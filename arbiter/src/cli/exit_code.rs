//! The exit codes, the same for every command; `arbiter --help` and the guide list them from here.

use std::process;

/// How a command ended.
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
    /// The list for `--help`.
    pub const HELP: &str = "Exit codes:
  0  success (SPRT: H1 accepted)
  1  regression, or H0 accepted
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
