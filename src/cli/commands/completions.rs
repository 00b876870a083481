//! `arbiter completions SHELL`.

use std::io;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::error::CliResult;
use crate::cli::{Cli, ExitCode};

/// The arguments of `arbiter completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell to write for.
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    pub fn run(self) -> CliResult {
        clap_complete::generate(self.shell, &mut Cli::command(), "arbiter", &mut io::stdout());
        Ok(ExitCode::Done)
    }
}
