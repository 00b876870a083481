//! What all commands have alike: one clear message and an [`ExitCode`] for every error, notes for people, and Ctrl-C.

use std::env;

pub mod console;
mod error;

pub use console::{answer, distinct_paths, say, show, stderr, stdout};
pub use error::{CliError, CliResult, ExitCode, OrExitCode, is_closed_pipe};

/// Runs the command that was chosen of these: `run_any!(self, Command: Init Play; Command::Man(args) => …)`.
macro_rules! run_any {
    ($command:expr, $kind:ident: $($name:ident)+ $(; $pattern:pat => $run:expr)*) => {
        match $command { $($kind::$name(args) => args.run(),)+ $($pattern => $run,)* }
    };
}
pub(crate) use run_any;

/// The words that the program was called with, its own name first. Bytes that are no UTF-8, as names of files may have,
/// are U+FFFD here. Files keep them, so the command of a pool, which may hold a token, is an ellipsis.
pub fn command_line() -> Vec<String> {
    let mut words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    for index in 0..words.len() {
        if words[index].starts_with("--pool-by=") {
            words[index].replace_range("--pool-by=".len().., "…");
        } else if index > 0 && words[index - 1] == "--pool-by" {
            "…".clone_into(&mut words[index]);
        }
    }
    words
}
