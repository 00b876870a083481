//! `arbiter verify DIR…`: whether run folders are intact. Changes nothing in them.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use tempfile::TempDir;

use super::{merge, named_folder, playing, run_file};
use crate::cli::{CliResult, ExitCode, OrExitCode, stdout};
use crate::files::new_file;
use crate::folder::RunFolder;
use crate::options::machine::made_now;
use crate::report::verdict::end_words;
use crate::results::{Observer, RunPhase, RunState};
use crate::text::number_text::counted;
use runner::untrusted_files::open_file;
use runner::{Event, Journal, RunConfig, RunJournal};

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Folders of runs or ladders
    #[arg(value_name = "DIR", default_value = new_file::NEWEST)]
    folders: Vec<PathBuf>,
}

/// The files that are made from the journal; they have the same contents whenever they are made.
const MADE: [&str; 3] = ["games.pgn", "games.csv", "final.epd"];

impl VerifyArgs {
    /// Returns exit code 0 if every folder is intact and its run finished, 3 if games are missing, 2 if anything is wrong.
    pub fn run(self) -> CliResult {
        let (mut is_wrong, mut is_finished) = (false, true);
        for named in self.folders {
            let named = new_file::or_newest(named, named_folder::is_run).usage()?;
            for folder in named_folder::runs_in(named).usage()? {
                let said = match verified(&folder) {
                    Ok((said, finished)) => {
                        is_finished &= finished;
                        format!("intact: {said}")
                    }
                    Err(error) => {
                        is_wrong = true;
                        format!("not intact: {error:#}")
                    }
                };
                writeln!(stdout(), "{}: {said}", folder.display()).fault()?;
            }
        }
        Ok(match (is_wrong, is_finished) {
            (true, _) => ExitCode::Usage,
            (_, true) => ExitCode::Done,
            (_, false) => ExitCode::Inconclusive,
        })
    }
}

/// The description of an intact run folder, and whether its run is finished.
fn verified(folder: &Path) -> Result<(String, bool)> {
    let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
    let is_in_use = Journal::is_in_use(events.path());
    let mut state = RunState::begun(config.clone(), started);
    let (mut played, mut session) = (Vec::new(), 0);
    for event in &mut events {
        let event = event?;
        state.update(&event);
        match &event {
            Event::RunResumed { .. } => session = state.events,
            Event::GameFinished(game) => played.push((game.game, [game.white, game.black])),
            _ => {}
        }
    }
    // Checked last: the schedule of a knockout may depend on results later in the journal.
    if let Some((game, _)) = played.into_iter().find(|&(game, players)| !state.schedule().has(game, players))
    {
        bail!("{}: game {} is not in the schedule, or has other players", events.path().display(), game + 1);
    }
    let in_file = playing::read_config(folder)?;
    if let Some(field) = merge::difference(&in_file, &config) {
        bail!("{}: differs from the run in the journal: {field}", folder.join(run_file::NAME).display());
    }
    let phase = state.phase(is_in_use);
    let is_of_this_version = config.made.as_ref().is_some_and(|made| made.arbiter == made_now().arbiter);
    let mut said = vec![counted(state.games(), "game")];
    said.push(if events.place().is_checked { "checksums correct" } else { "no checksums" }.to_owned());
    if let Some(line) = events.torn_line() {
        said.push(format!("line {line} is cut off, as by a crash"));
    }
    if is_in_use || !is_of_this_version || !events.place().is_checked {
        said.push(format!("{} not compared", MADE.join(", ")));
    } else {
        compare_made(folder, &config, session, &phase)?;
        said.push(format!("{} match the journal", MADE.join(", ")));
    }
    said.push(match &phase {
        RunPhase::Finished { reason } => format!("finished: {}", end_words(reason)),
        RunPhase::Interrupted { reason } => {
            let reason = reason.as_ref().map_or("the process ended", end_words);
            format!("interrupted: {reason}; continue with: arbiter resume {}", folder.display())
        }
        RunPhase::Running | RunPhase::Paused | RunPhase::Stopping => "being played".to_owned(),
    });
    Ok((said.join("; "), matches!(phase, RunPhase::Finished { .. })))
}

/// Compares the files of a folder with new ones made from its journal. Those of a finished run must be identical; after
/// a kill the last games may be missing, and `resume` adds them. `session` is the number of events before the run was
/// last resumed: games that were cut short earlier have been played again.
fn compare_made(folder: &Path, config: &Arc<RunConfig>, session: usize, phase: &RunPhase) -> Result<()> {
    let place = TempDir::new()?;
    let RunJournal { started, events, .. } = RunJournal::open(folder)?;
    let mut state = RunState::begun(config.clone(), started);
    let mut anew = RunFolder::create(&place.path().join("run"), &state)?;
    let mut last = None;
    for event in events {
        let event = event?;
        let is_news = state.update(&event);
        match &event {
            Event::GameFinished(game) if is_news && (game.is_counted() || state.events > session) => {
                anew.on_event(&event, &state)?;
            }
            _ => {}
        }
        last = Some(event);
    }
    let is_finished = matches!(phase, RunPhase::Finished { .. });
    if let Some(last) = last.filter(|last| is_finished && matches!(last, Event::RunFinished { .. })) {
        anew.on_event(&last, &state)?;
    }
    for name in MADE {
        let path = folder.join(name);
        let with_path = || path.display().to_string();
        let [there, made] = [&path, &anew.path.join(name)].map(|path| open_file(path));
        let (there, made) = (there.with_context(with_path)?, made?);
        let (length, whole) = (there.metadata()?.len(), made.metadata()?.len());
        if length > whole || is_finished && length < whole || !begins_with(made, there)? {
            let advice = "make it again with: arbiter resume";
            bail!("{}: does not match the journal; {advice} {}", path.display(), folder.display());
        }
    }
    Ok(())
}

fn begins_with(whole: File, part: File) -> io::Result<bool> {
    let mut whole = BufReader::new(whole).bytes();
    for byte in BufReader::new(part).bytes() {
        if whole.next().transpose()? != Some(byte?) {
            return Ok(false);
        }
    }
    Ok(true)
}
