//! How a run stands at one moment, as `arbiter status --json` tells it.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::progress::TimeLeft;
use crate::run_state::{RunPhase, RunState, Summary};
use runner::micros;

/// A snapshot of a run. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStatus {
    /// The version of this format.
    pub schema: u32,
    /// Whether the run is going on.
    pub state: RunPhase,
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
    pub fn new(run: &RunState, state: RunPhase) -> RunStatus {
        let summary = run.summary();
        let in_progress = run.in_progress().map(|(game, present)| GameInProgress {
            number: game + 1,
            white: run.engine_name(present.white).to_owned(),
            black: run.engine_name(present.black).to_owned(),
            started: present.started,
        });
        let in_progress = in_progress.collect();
        let is_over = matches!(state, RunPhase::Interrupted { .. } | RunPhase::Finished { .. });
        let time_left = TimeLeft::of_run(run, &summary).filter(|_| !is_over).map(TimeLeft::duration);
        RunStatus {
            schema: RunStatus::SCHEMA,
            concurrency: run.pace().concurrency,
            games_per_minute: run.games_per_minute(),
            // As exact as it is written.
            time_left: time_left.map(|left| Duration::from_micros(left.as_micros() as u64)),
            in_progress,
            summary,
            state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_state::made_up_games::{config, events_of, finished, game};
    use runner::{Event, FinishReason};

    fn state_after(events: &[Event]) -> RunState {
        let mut state = RunState::new(&config(&["new", "old"], true));
        for event in events {
            state.update(event);
        }
        state
    }

    #[test]
    fn a_journal_without_an_end_is_an_interruption_and_its_last_game_is_not_in_progress() {
        let mut events = events_of("wdlw");
        events.push(Event::GameStarted { game: 4, white: 0, black: 1, at: Timestamp::UNIX_EPOCH });
        let mut state = state_after(&events);
        assert_eq!(state.left_as(), &RunPhase::Interrupted { reason: None });
        state.forget_games_in_progress();
        let status = RunStatus::new(&state, state.left_as().clone());
        assert_eq!((status.summary.games, status.summary.planned), (4, 100));
        assert_eq!((status.in_progress, status.time_left), (vec![], None));
    }

    #[test]
    fn a_game_that_is_in_the_journal_twice_counts_once_and_an_abandoned_one_has_no_result() {
        let mut events = events_of("wdl");
        events.push(events[2].clone());
        events.push(finished(game(3, (1, 0), None)));
        let summary = state_after(&events).summary();
        assert_eq!((summary.games, summary.abandoned), (3, 1));
    }

    #[test]
    fn the_reason_for_the_end_decides_whether_there_is_more_to_play() {
        for (reason, is_finished) in [
            (FinishReason::AllGamesPlayed, true),
            (FinishReason::AcceptedH0, true),
            (FinishReason::Requested, false),
        ] {
            let mut events = events_of("wd");
            events.push(Event::RunFinished { reason, at: Timestamp::UNIX_EPOCH });
            let state = state_after(&events);
            let is_over = matches!(state.left_as(), RunPhase::Finished { .. });
            assert_eq!(is_over, is_finished, "{:?}", state.left_as());
        }
    }

    #[test]
    fn the_snapshot_reads_back_from_json() {
        let mut events = events_of("wdlwdd");
        events.push(Event::GameStarted { game: 6, white: 0, black: 1, at: Timestamp::UNIX_EPOCH });
        let status = RunStatus::new(&state_after(&events), RunPhase::Paused);
        assert_eq!(status.in_progress[0].number, 7);
        let json = serde_json::to_string(&status).unwrap();
        assert_eq!(serde_json::from_str::<RunStatus>(&json).unwrap(), status);
    }
}
