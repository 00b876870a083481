//! `arbiter control DIR COMMAND`: orders to a run that is going on.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::REFUSAL;
use crate::cli::{Blame, CliError, CliResult, ExitCode};
use crate::control;
use runner::{ControlCommand, JOURNAL_FILE};

/// The arguments of `arbiter control`.
#[derive(Debug, Args)]
pub struct ControlArgs {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// status, pause, go on, concurrency N, stop, stop now, or help
    #[arg(required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl ControlArgs {
    /// Sends the command and prints the answer.
    pub fn run(self) -> CliResult {
        let command: ControlCommand = self.command.join(" ").parse().usage()?;
        let folder = self.folder.display();
        let answer = control::ask(&self.folder, command).with_context(|| folder.to_string()).fault()?;
        let Some(answer) = answer else {
            return Err(CliError::Usage(if self.folder.join(JOURNAL_FILE).is_file() {
                anyhow!("{folder}: nobody is playing this run now; look at it with: arbiter status {folder}")
            } else {
                anyhow!("{folder}: expected a run folder with a journal, {JOURNAL_FILE}")
            }));
        };
        if let Some(reason) = answer.strip_prefix(REFUSAL) {
            return Err(CliError::Usage(anyhow!("{folder}: {reason}")));
        }
        writeln!(io::stdout(), "{answer}").fault()?;
        Ok(ExitCode::Done)
    }
}
