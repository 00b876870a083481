//! The command.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use runner::foreign_folder::refuse_link;
use runner::{BAD_GAMES_FOLDER, JOURNAL_FILE, Journal};
use stats::SprtStatus;

use super::shards::Shards;
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::files::new_folder;
use crate::folder::RunFolder;
use crate::report::SummaryText;
use crate::results::{RecordedRun, RunState};
use crate::run::playing;
use crate::run::step_summary;

/// The arguments of `arbiter merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Run folders of the shards of one run (--shard)
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Run folder to make; it must not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl MergeArgs {
    /// Checks all folders, then writes the folder of the whole run.
    pub fn run(self) -> CliResult {
        new_folder::check_out(&self.out).usage()?;
        let shards = Shards::read(&self.folders).usage()?;
        let state = write(&shards, &self.out)?;
        for folder in &self.folders {
            copy_logs(folder, &self.out).fault()?;
        }
        let run = RecordedRun::just_played(state, &self.out);
        let summary = run.state.summary();
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        // A closed pipe is no reason to fail: everything is in the folder.
        let _ = write!(out, "{}", SummaryText::new(&summary, colour).quoted(run.state.config()));
        let _ = writeln!(out, "\n  saved in {}", self.out.display());
        step_summary::append_run(&run);
        playing::write_report(run);
        if let Some(gaps) = shards.gaps() {
            console::note(&format!("warning: {gaps}; play them with: arbiter resume {}", self.out.display()));
            return Ok(ExitCode::Inconclusive);
        }
        let test = summary.pairings.first().and_then(|pairing| pairing.sprt);
        Ok(match test.map(|test| test.status) {
            Some(SprtStatus::AcceptH0) => ExitCode::Regression,
            Some(SprtStatus::Continue) => ExitCode::Inconclusive,
            Some(SprtStatus::AcceptH1) | None => ExitCode::Done,
        })
    }
}

/// Writes all files of the folder except the HTML page.
fn write(shards: &Shards, folder: &Path) -> Result<RunState, CliError> {
    let events = shards.events();
    let mut state = RunState::new(&shards.config).with_facts();
    RunFolder::create(folder, &state).fault()?;
    Journal::create(&folder.join(JOURNAL_FILE)).fault()?.append(&events).fault()?;
    for event in &events {
        state.update(event);
    }
    RunFolder::resume(folder, &state, shards.games()).fault()?;
    Ok(state)
}

/// The protocol logs of faulty games, named by the numbers of the games.
fn copy_logs(from: &Path, to: &Path) -> io::Result<()> {
    let from = from.join(BAD_GAMES_FOLDER);
    // Whoever sent the folder may have put links to files of ours there.
    let Ok(logs) = refuse_link(&from).and_then(|()| fs::read_dir(&from)) else { return Ok(()) };
    let to = to.join(BAD_GAMES_FOLDER);
    fs::create_dir_all(&to)?;
    for log in logs {
        let log = log?;
        if !log.file_type()?.is_file() {
            continue;
        }
        fs::copy(log.path(), to.join(log.file_name()))?;
    }
    Ok(())
}
