//! What all commands have alike: one clear message and an [`ExitCode`] for every error, notes for people, and Ctrl-C.

pub mod console;
mod error;
mod exit_code;
pub mod old_names;
pub mod stop_flag;

pub use error::{Blame, CliError, CliResult};
pub use exit_code::ExitCode;
