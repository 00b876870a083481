//! How a run stands at one moment, as `arbiter status --json` tells it.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::progress::{Progress, TimeLeft};
use crate::run_state::{JournalDigest, Summary};
use runner::{Event, FinishReason, micros};

/// Whether a run is going on, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunState {
    /// Games are played.
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
        /// Why.
        reason: FinishReason,
    },
}

/// A snapshot of a run. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStatus {
    /// The version of this format.
    pub schema: u32,
    /// Whether the run is going on.
    pub state: RunState,
    /// How many games it may play at once.
    pub concurrency: usize,
    /// Games that end per minute, pauses not counted; `None` before the first.
    pub games_per_minute: Option<f64>,
    /// How long the rest takes at this pace, in microseconds: of the schedule, or of a sequential test if its trend
    /// holds. `None` while that is not known.
    #[serde(rename = "time_left_us", with = "micros::option")]
    pub time_left: Option<Duration>,
    /// The games that are being played.
    pub in_progress: Vec<GameInProgress>,
    /// Score, Elo, sequential test and faults, as in `summary.json`.
    pub summary: Summary,
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInProgress {
    /// Its number as people see it, from 1.
    pub number: u32,
    /// The engine with the white pieces.
    pub white: String,
    /// The engine with the black pieces.
    pub black: String,
    /// When it began.
    pub started: Timestamp,
}

impl RunStatus {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The snapshot of a run that has come so far.
    pub fn new(progress: &Progress, state: RunState) -> RunStatus {
        let summary = progress.summary();
        let name = |engine: usize| {
            summary.engines.get(engine).map_or_else(String::new, |engine| engine.name.clone())
        };
        let in_progress = progress.in_progress().map(|(game, present)| GameInProgress {
            number: game + 1,
            white: name(present.white),
            black: name(present.black),
            started: present.started,
        });
        let in_progress = in_progress.collect();
        let is_over = matches!(state, RunState::Interrupted { .. } | RunState::Finished { .. });
        let time_left = progress.time_left(&summary).filter(|_| !is_over).map(TimeLeft::duration);
        RunStatus {
            schema: RunStatus::SCHEMA,
            concurrency: progress.pace().concurrency,
            games_per_minute: progress.games_per_minute(),
            // As exact as it is written.
            time_left: time_left.map(|left| Duration::from_micros(left.as_micros() as u64)),
            in_progress,
            summary,
            state,
        }
    }
}

impl RunState {
    /// What a journal says about a run that is not going on, with the progress it made; `None` when its first line is
    /// missing. A game that was played twice, as after a crash, counts once.
    pub fn from_journal(events: &[Event]) -> Option<(Progress, RunState)> {
        let (Event::RunStarted { config, at, .. }, rest) = events.split_first()? else { return None };
        let mut digest = JournalDigest::new(config, *at);
        for event in rest {
            digest.add(event);
        }
        Some(digest.finish())
    }

    /// The state of a run that is not going on, by the last event of its journal.
    pub fn left_by(last: Option<&Event>) -> RunState {
        match last {
            Some(Event::RunFinished { reason, .. }) => match reason {
                FinishReason::AllGamesPlayed | FinishReason::AcceptedH0 | FinishReason::AcceptedH1 => {
                    RunState::Finished { reason: reason.clone() }
                }
                FinishReason::Requested | FinishReason::EngineDoesNotStart { .. } => {
                    RunState::Interrupted { reason: Some(reason.clone()) }
                }
            },
            _ => RunState::Interrupted { reason: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_state::made_up_games::{config, game, two_engine_match};

    fn journal(results: &str) -> Vec<Event> {
        let config = Box::new(config(&["new", "old"], true));
        let at = Timestamp::from_second(1_795_000_000).unwrap();
        let mut events = vec![Event::RunStarted { config, games: 100, at }];
        for record in two_engine_match(results) {
            let (game, white, black, at) = (record.game, record.white, record.black, record.started);
            events.push(Event::GameStarted { game, white, black, at });
            events.push(Event::GameFinished(Box::new(record)));
        }
        events
    }

    #[test]
    fn a_journal_without_an_end_is_an_interruption_and_its_last_game_is_not_in_progress() {
        let mut events = journal("wdlw");
        events.push(Event::GameStarted { game: 4, white: 0, black: 1, at: Timestamp::UNIX_EPOCH });
        let (progress, state) = RunState::from_journal(&events).unwrap();
        assert_eq!(state, RunState::Interrupted { reason: None });
        let status = RunStatus::new(&progress, state);
        assert_eq!((status.summary.games, status.summary.planned), (4, 100));
        assert_eq!((status.in_progress, status.time_left), (vec![], None));
    }

    #[test]
    fn a_game_that_is_in_the_journal_twice_counts_once_and_an_abandoned_one_not_at_all() {
        let mut events = journal("wdl");
        events.push(events[2].clone());
        events.push(Event::GameFinished(Box::new(game(3, (1, 0), None))));
        let (progress, _) = RunState::from_journal(&events).unwrap();
        assert_eq!((progress.summary().games, progress.summary().abandoned), (3, 0));
    }

    #[test]
    fn the_reason_for_the_end_decides_whether_there_is_more_to_play() {
        for (reason, is_finished) in [
            (FinishReason::AllGamesPlayed, true),
            (FinishReason::AcceptedH0, true),
            (FinishReason::Requested, false),
        ] {
            let mut events = journal("wd");
            events.push(Event::RunFinished { reason, at: Timestamp::UNIX_EPOCH });
            let (_, state) = RunState::from_journal(&events).unwrap();
            assert_eq!(matches!(state, RunState::Finished { .. }), is_finished, "{state:?}");
        }
        assert!(RunState::from_journal(&[]).is_none());
    }

    #[test]
    fn the_snapshot_reads_back_from_json() {
        let mut events = journal("wdlwdd");
        events.push(Event::GameStarted { game: 6, white: 0, black: 1, at: Timestamp::UNIX_EPOCH });
        let mut progress = Progress::new(&config(&["new", "old"], true), []);
        for event in &events {
            progress.update(event);
        }
        let status = RunStatus::new(&progress, RunState::Paused);
        assert_eq!(status.in_progress[0].number, 7);
        let json = serde_json::to_string(&status).unwrap();
        assert_eq!(serde_json::from_str::<RunStatus>(&json).unwrap(), status);
    }
}
