//! What all commands share: one clear message and an [`ExitCode`] for every error, notes for people, and Ctrl-C.

use std::env;

pub mod console;
mod error;

pub use console::{answer, distinct_paths, say, show, stderr, stdout};
pub use error::{CliError, CliResult, ExitCode, OrExitCode, is_closed_pipe};

/// Runs the command that the user chose: `run_any!(self, Command: Init Play; Command::Man(args) => …)`.
macro_rules! run_any {
    ($command:expr, $kind:ident: $($name:ident)+ $(; $pattern:pat => $run:expr)*) => {
        match $command { $($kind::$name(args) => args.run(),)+ $($pattern => $run,)* }
    };
}
pub(crate) use run_any;

/// The command line, with the program's name first. Bytes that are not UTF-8, as in file names, become U+FFFD. The
/// command of a pool becomes an ellipsis, because it may contain a token and the command line is saved in files.
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
