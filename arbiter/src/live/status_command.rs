//! `arbiter status`: asks a running run for its state, or computes the state from the journal.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use console::Term;

use super::status::{RunStatus, StatusText};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console as terminal, stdout};
use crate::files::new_file;
use crate::live::control;
use crate::results::{RunPhase, RunState};
use runner::ControlCommand;

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Folder of a run or a ladder
    #[arg(value_name = "DIR", default_value = new_file::NEWEST)]
    folder: PathBuf,

    /// Print JSON (one line)
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    /// Asks the run if it is running, and reads its journal otherwise. Changes nothing in the folder. `run_in` finds
    /// the run in the folder that was named, and may print what else the folder has unless JSON is asked for.
    pub fn run(mut self, run_in: impl FnOnce(PathBuf, bool) -> Result<PathBuf, CliError>) -> CliResult {
        self.folder = run_in(self.folder, self.json)?;
        let request = if self.json { ControlCommand::StatusJson } else { ControlCommand::Status };
        // If the run ends before it answers, the journal is complete.
        let answer = control::ask(&self.folder, request).ok().flatten();
        let text = match answer {
            Some(answer) => answer,
            None => self.read_journal()?,
        };
        writeln!(stdout(), "{text}").fault()?;
        Ok(ExitCode::Done)
    }

    fn read_journal(&self) -> Result<String, CliError> {
        // The lock of its journal shows whether a run without a socket is running.
        let (mut state, phase, _) = RunState::read_folder(&self.folder, false).usage()?;
        if phase != RunPhase::Running {
            state.present.clear();
        }
        if self.json {
            return serde_json::to_string(&RunStatus::new(&state, phase)).fault();
        }
        let text = StatusText {
            run: &state,
            phase: &phase,
            now: runner::now(),
            width: Term::stdout().size().1.into(),
            colour: terminal::wants_colour(&io::stdout()),
        };
        let mut lines = text.lines();
        if matches!(phase, RunPhase::Interrupted { .. }) {
            lines.push(format!("  continue with: arbiter resume {}", self.folder.display()));
        }
        Ok(lines.join("\n"))
    }
}
