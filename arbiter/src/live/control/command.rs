//! `arbiter control DIR COMMAND`: commands to a running match.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::REFUSAL;
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::live::control;
use runner::{ControlCommand, JOURNAL_FILE};

/// The name that `resume` had before.
const OLD_RESUME: &str = "go on";

/// The arguments of `arbiter control`.
#[derive(Debug, Args)]
#[command(after_help = commands())]
pub struct ControlArgs {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Command, one of those below
    #[arg(required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl ControlArgs {
    /// Sends the command and prints the answer.
    pub fn run(self) -> CliResult {
        let typed = self.command.join(" ");
        if typed.eq_ignore_ascii_case(OLD_RESUME) {
            console::note(&format!("note: `{OLD_RESUME}` is now `{}`", ControlCommand::Resume));
        }
        let command: ControlCommand = typed.parse().usage()?;
        let folder = self.folder.display();
        let answer = control::ask(&self.folder, command).with_context(|| folder.to_string()).fault()?;
        let Some(answer) = answer else {
            return Err(CliError::Usage(if self.folder.join(JOURNAL_FILE).is_file() {
                anyhow!(
                    "{folder}: expected a run in progress, but this run is not running; show its state with: arbiter status {folder}"
                )
            } else {
                anyhow!("{folder}: expected a run folder with a journal, {JOURNAL_FILE}")
            }));
        };
        if let Some(reason) = answer.strip_prefix(REFUSAL) {
            return Err(CliError::Usage(anyhow!("{folder}: {reason}")));
        }
        writeln!(stdout(), "{answer}").fault()?;
        Ok(ExitCode::Done)
    }
}

/// The list of commands for `--help`.
fn commands() -> String {
    let lines: Vec<String> = ControlCommand::HELP.lines().map(|line| format!("  {line}")).collect();
    format!("Commands:\n{}\n\nA run that was stopped continues with: arbiter resume DIR", lines.join("\n"))
}
