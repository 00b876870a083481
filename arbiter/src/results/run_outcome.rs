//! The outcome of a run, read from its folder: the source of all formats but the page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ending::ending;
use crate::results::{RecordedRun, RunPhase, Summary};
use referee::Side;
use runner::{GameRecord, JournalError, RunConfig, Termination};

/// A run, finished or not. Of its games only those with faults are listed.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// The folder as it was given.
    pub folder: PathBuf,
    /// The configuration.
    pub config: RunConfig,
    /// When it began.
    pub started: Timestamp,
    /// Whether it is running, and if not, why.
    pub state: RunPhase,
    /// The summary of the games.
    pub summary: Summary,
    /// How long games were played, without pauses and interruptions.
    pub time_played: Duration,
    /// The games that an engine lost by a fault, in the order of the schedule.
    pub faulty_games: Vec<FaultyGame>,
    /// The time for which the machine was noisy during the games.
    pub noisy: Duration,
    /// The number of the journal's last line if that was cut off. The game in it is not counted.
    pub torn_line: Option<usize>,
}

/// A game that an engine lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultyGame {
    /// Its number, from 1, which is also that of its log in `bad/`.
    pub number: u32,
    /// The engine with the white pieces.
    pub white: String,
    /// The engine with the black pieces.
    pub black: String,
    /// The engine that lost.
    pub offender: String,
    /// How.
    pub termination: Termination,
    /// The same in words, with details.
    pub ending: String,
    /// Whether the machine or the runner is to blame, and not the engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
}

impl RunOutcome {
    /// Reads the journal of a run folder, `events.jsonl`, or `events.jsonl.gz` in its place.
    ///
    /// # Errors
    /// There is no journal, it does not begin with the start of a run, or a line of it cannot be read.
    pub fn read(folder: &Path) -> Result<RunOutcome, JournalError> {
        Ok(RunOutcome::of(&RecordedRun::read(folder)?))
    }

    /// The outcome of a run that was read or played.
    pub fn of(run: &RecordedRun) -> RunOutcome {
        let RecordedRun { folder, state, phase, torn_line } = run;
        let mut faulty_games = state.faulty_games().to_vec();
        faulty_games.sort_by_key(|game: &FaultyGame| game.number);
        RunOutcome {
            folder: folder.clone(),
            config: state.config().clone(),
            started: state.started().unwrap_or_default(),
            state: phase.clone(),
            summary: state.summary(),
            time_played: state.time_played(),
            faulty_games,
            noisy: state.noise().past(),
            torn_line: *torn_line,
        }
    }

    /// The name of the run: that of its folder.
    pub fn name(&self) -> String {
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// `new vs old`, or the number of engines.
    pub fn title(&self) -> String {
        match &self.summary.engines[..] {
            [first, second] => format!("{} vs {}", first.name, second.name),
            engines => format!("{} engines, {}", engines.len(), self.config.format),
        }
    }
}

impl FaultyGame {
    /// `None` without a fault.
    pub fn of(game: &GameRecord, config: &RunConfig) -> Option<FaultyGame> {
        let offender = game.offender.filter(|_| game.termination.is_fault())?;
        let name = |side| config.engines[game.engine(side)].name.clone();
        Some(FaultyGame {
            number: game.game + 1,
            white: name(Side::White),
            black: name(Side::Black),
            offender: name(offender),
            termination: game.termination,
            ending: ending(game),
            excused: game.excused,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::results::made_up_games::{config, lost_by, two_engine_match};
    use runner::Event;

    fn folder_with(events: &[Event]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let lines = events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n");
        fs::write(folder.path().join("events.jsonl"), lines.collect::<String>()).unwrap();
        folder
    }

    #[test]
    fn an_outcome_has_the_sums_and_the_odd_games_and_counts_no_game_twice() {
        let config = Box::new(config(&["new", "old"], true));
        let mut events = vec![Event::RunStarted { config, games: 100, at: Timestamp::UNIX_EPOCH }];
        let mut games = two_engine_match("wd");
        games.push(lost_by(2, (0, 1), Side::Black, Termination::Crash));
        games.push(games[2].clone());
        events.extend(games.into_iter().map(|game| Event::GameFinished(Box::new(game))));
        let folder = folder_with(&events);
        let outcome = RunOutcome::read(folder.path()).unwrap();
        assert_eq!((outcome.summary.games, outcome.faulty_games.len()), (3, 1));
        let odd = &outcome.faulty_games[0];
        assert_eq!(
            (odd.number, odd.offender.as_str(), odd.ending.as_str()),
            (3, "old", "Black's engine crashed")
        );
        assert_eq!(outcome.state, RunPhase::Interrupted { reason: None });
        assert_eq!(outcome.title(), "new vs old");
    }

    #[test]
    fn a_folder_without_a_run_and_a_journal_without_a_start_are_told() {
        let folder = folder_with(&[Event::RunResumed { finished: 0, at: Timestamp::UNIX_EPOCH }]);
        let message = RunOutcome::read(folder.path()).unwrap_err().to_string();
        assert!(message.ends_with("events.jsonl, line 1: expected the start of a run"), "{message}");
        fs::remove_file(folder.path().join("events.jsonl")).unwrap();
        let message = RunOutcome::read(folder.path()).unwrap_err().to_string();
        assert!(message.contains("expected a run folder with a journal, events.jsonl"), "{message}");
    }
}
