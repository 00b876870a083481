//! The results of a run: everything in its folder, whether or not the run is over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::ending::FaultyGame;
use super::facts::RunFacts;
use super::run_phase::RunPhase;
use super::state::RunState;
use super::summary::Summary;
use runner::{JournalError, RunConfig, Tuning};

/// A run, finished or not. Only games with faults are listed individually.
#[derive(Clone, Debug)]
pub struct RunResults {
    pub folder: PathBuf,
    pub config: Arc<RunConfig>,
    pub started: Timestamp,
    pub phase: RunPhase,
    pub summary: Summary,
    /// How long games were played, not counting pauses and interruptions.
    pub time_played: Duration,
    /// The games that an engine lost by a fault, in the order of the schedule.
    pub faulty_games: Vec<FaultyGame>,
    /// How long the machine was noisy during the games.
    pub noisy: Duration,
    pub torn_line: Option<usize>,
    pub tuning: Option<Tuning>,
    /// Additional facts for the report page, if they were gathered.
    pub facts: Option<Box<RunFacts>>,
}

impl RunResults {
    pub fn read(folder: &Path) -> Result<RunResults, JournalError> {
        RunResults::read_with(folder, false)
    }

    /// Reads a run together with the facts for its page.
    pub fn read_with_facts(folder: &Path) -> Result<RunResults, JournalError> {
        RunResults::read_with(folder, true)
    }

    fn read_with(folder: &Path, facts: bool) -> Result<RunResults, JournalError> {
        let (run, phase, torn_line) = RunState::read_folder(folder, facts)?;
        Ok(RunResults { phase, torn_line, ..RunResults::of(run, folder) })
    }

    /// The results of a run that has just been played, whose folder we wrote ourselves.
    pub fn of(mut state: RunState, folder: &Path) -> RunResults {
        let mut faulty_games = state.faulty_games.clone();
        faulty_games.sort_by_key(|game| game.number);
        let mut facts = state.facts.take();
        if let Some(facts) = &mut facts {
            facts.timeline.end(&state);
        }
        RunResults {
            folder: folder.to_owned(),
            config: Arc::clone(state.config()),
            started: state.started.unwrap_or_default(),
            phase: state.left_as.clone(),
            summary: state.summary(),
            time_played: state.time_played(),
            faulty_games,
            noisy: state.noise().past,
            torn_line: None,
            tuning: state.tuning().cloned(),
            facts,
        }
    }

    pub fn name(&self) -> String {
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// When the run began; `None` if a PGN file does not say.
    pub fn known_start(&self) -> Option<Timestamp> {
        (self.started != Timestamp::UNIX_EPOCH).then_some(self.started)
    }
}
