//! A run as its folder tells it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ending::ending;
use super::state::RunState;
use crate::results::Summary;
use referee::Side;
use runner::{Event, FinishReason, GameRecord, Journal, JournalError, RunConfig, RunJournal, Termination};

/// What a run folder holds, whether the run is over or not.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The folder as it was given.
    pub folder: PathBuf,
    /// What the events come to.
    pub state: RunState,
    /// Whether the run is going on, and if not, why.
    pub phase: RunPhase,
    /// The number of the journal's last line if that was cut off. The game in it is not counted.
    pub torn_line: Option<usize>,
}

impl RecordedRun {
    /// Reads the journal of a folder, `events.jsonl`, or `events.jsonl.gz` in its place.
    pub fn read(folder: &Path) -> Result<RecordedRun, JournalError> {
        RecordedRun::read_into(folder, |state| state)
    }

    /// The same with what the page about the run shows.
    pub fn read_with_facts(folder: &Path) -> Result<RecordedRun, JournalError> {
        RecordedRun::read_into(folder, RunState::with_facts)
    }

    fn read_into(
        folder: &Path,
        prepare: impl FnOnce(RunState) -> RunState,
    ) -> Result<RecordedRun, JournalError> {
        let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
        let mut state = prepare(RunState::begun(&config, started));
        let is_in_use = Journal::is_in_use(events.path());
        state.read(&mut events, |_| {})?;
        let phase = state.phase(is_in_use);
        Ok(RecordedRun { folder: folder.to_owned(), state, phase, torn_line: events.torn_line() })
    }

    /// A run that was played just now, and whose folder was written by us.
    pub fn just_played(state: RunState, folder: &Path) -> RecordedRun {
        let phase = state.left_as().clone();
        RecordedRun { folder: folder.to_owned(), state, phase, torn_line: None }
    }
}

/// Whether a run is going on, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunPhase {
    Running,
    /// No game is started until further notice; those in progress are finished.
    Paused,
    /// The run is about to end early; games in progress may still be finished.
    Stopping,
    /// It ended early and can be resumed.
    Interrupted {
        /// Why; `None` when it was killed, or the machine went down.
        reason: Option<FinishReason>,
    },
    /// There is nothing left to play.
    Finished {
        reason: FinishReason,
    },
}

impl RunPhase {
    /// The state of a run that is not going on, by the last event of its journal.
    pub fn left_by(last: Option<&Event>) -> RunPhase {
        match last {
            Some(Event::RunFinished { reason, .. }) => match reason {
                FinishReason::AllGamesPlayed
                | FinishReason::AcceptedH0
                | FinishReason::AcceptedH1
                | FinishReason::GaveUp => RunPhase::Finished { reason: reason.clone() },
                FinishReason::Requested
                | FinishReason::GamesMissing
                | FinishReason::EngineDoesNotStart { .. } => {
                    RunPhase::Interrupted { reason: Some(reason.clone()) }
                }
            },
            _ => RunPhase::Interrupted { reason: None },
        }
    }
}

/// A run, finished or not. Of its games only those with faults are listed.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// The folder as it was given.
    pub folder: PathBuf,
    pub config: RunConfig,
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
    pub offender: String,
    pub termination: Termination,
    /// The same in words, with details.
    pub ending: String,
    /// Whether the machine or the runner is to blame, and not the engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
}

impl RunOutcome {
    /// Reads the journal of a run folder, `events.jsonl`, or `events.jsonl.gz` in its place.
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
    use std::fs::File;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use jiff::Timestamp;

    use super::*;
    use crate::results::made_up_games::{config, two_engine_match};
    use runner::{Event, FinishReason};

    fn journal(results: &str) -> String {
        let at = Timestamp::UNIX_EPOCH;
        let config = Box::new(config(&["new", "old"], false));
        let mut events = vec![Event::RunStarted { config, games: 100, at }];
        events.extend(two_engine_match(results).into_iter().map(|game| Event::GameFinished(Box::new(game))));
        events.push(Event::RunFinished { reason: FinishReason::AllGamesPlayed, at });
        events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
    }

    #[test]
    fn a_journal_reads_the_same_packed_and_not() {
        let place = tempfile::tempdir().unwrap();
        let file = File::create(place.path().join("events.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(file, Compression::default());
        packed.write_all(journal("wdl").as_bytes()).unwrap();
        packed.finish().unwrap();
        let read = RecordedRun::read(place.path()).unwrap();
        std::fs::write(place.path().join("events.jsonl"), journal("wdl")).unwrap();
        let plain = RecordedRun::read(place.path()).unwrap();
        assert_eq!(read.state.summary(), plain.state.summary());
        assert_eq!(read.phase, RunPhase::Finished { reason: FinishReason::AllGamesPlayed });
    }

    #[test]
    fn a_journal_that_ends_with_a_game_is_one_of_an_interrupted_run() {
        let place = tempfile::tempdir().unwrap();
        let whole = journal("wdl");
        let cut = whole.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
        std::fs::write(place.path().join("events.jsonl"), cut).unwrap();
        let read = RecordedRun::read(place.path()).unwrap();
        assert_eq!(read.phase, RunPhase::Interrupted { reason: None });
        assert_eq!(read.state.summary().games, 3);
    }

    #[test]
    fn a_game_of_an_engine_that_the_run_does_not_have_is_refused_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let changed = journal("wdl").replacen("\"white\":1", "\"white\":7", 1);
        std::fs::write(place.path().join("events.jsonl"), changed).unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(
            message.contains("events.jsonl, line 3: expected an event of a run, found one of engine 7"),
            "{message}"
        );
    }

    #[test]
    fn a_folder_without_a_run_is_told() {
        let place = tempfile::tempdir().unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(message.contains("expected a run folder with a journal"), "{message}");
        std::fs::write(place.path().join("events.jsonl"), "").unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(message.contains("line 1: expected the start of a run"), "{message}");
    }
}

#[cfg(test)]
mod run_outcome_tests {
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
