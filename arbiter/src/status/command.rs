//! `arbiter status DIR`: how a run stands, whether it is going on or not.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use console::Term;
use jiff::Timestamp;

use super::run_status::{RunState, RunStatus};
use super::status_text::StatusText;
use crate::cli::{Blame, CliError, CliResult, ExitCode, console as terminal};
use crate::control;
use runner::{ControlCommand, JOURNAL_FILE, Journal};

/// The arguments of `arbiter status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    /// Asks the run if it is going on, and reads its journal otherwise. Nothing in the folder is changed.
    pub fn run(self) -> CliResult {
        let question = if self.json { ControlCommand::StatusJson } else { ControlCommand::Status };
        // A run that ends while it is asked has its last word in the journal.
        let answer = control::ask(&self.folder, question).ok().flatten();
        let text = match answer {
            Some(answer) => answer,
            None => self.read_journal()?,
        };
        writeln!(io::stdout(), "{text}").fault()?;
        Ok(ExitCode::Done)
    }

    fn read_journal(&self) -> Result<String, CliError> {
        let folder = self.folder.display();
        let path = self.folder.join(JOURNAL_FILE);
        if !path.is_file() {
            let problem = anyhow!("{folder}: expected a run folder with a journal, {JOURNAL_FILE}");
            return Err(CliError::Usage(problem));
        }
        let events = Journal::read(&path).usage()?;
        let (progress, left_as) = RunState::from_journal(&events)
            .with_context(|| format!("{}, line 1: expected the start of a run", path.display()))
            .usage()?;
        // A run that has no socket is seen by its lock.
        let state = if Journal::is_in_use(&path) { RunState::Running } else { left_as };
        if self.json {
            return serde_json::to_string(&RunStatus::new(&progress, state)).fault();
        }
        let out = io::stdout();
        let text = StatusText {
            progress: &progress,
            state: &state,
            now: Timestamp::now(),
            width: Term::stdout().size().1.into(),
            colour: terminal::wants_colour(&out),
        };
        let mut lines = text.lines();
        if matches!(state, RunState::Interrupted { .. }) {
            lines.push(format!("  continue with: arbiter resume {folder}"));
        }
        Ok(lines.join("\n"))
    }
}
