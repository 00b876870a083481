//! `arbiter completions SHELL`.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::cli::{Blame, CliResult, ExitCode};

/// The arguments of `arbiter completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell to write for.
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    pub fn run(self) -> CliResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "arbiter", &mut script);
        io::stdout().write_all(&script).fault()?;
        Ok(ExitCode::Done)
    }
}
