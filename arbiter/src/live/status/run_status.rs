//! The state of a run, as `arbiter status --json` prints it.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::live::progress::TimeLeft;
use crate::results::{RunPhase, RunState, Summary};
use runner::micros;

/// The state of a run at one moment. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStatus {
    /// The version of this format.
    pub schema: u32,
    /// Whether the run is running, paused, stopping, interrupted or finished.
    pub state: RunPhase,
    /// The concurrency.
    pub concurrency: usize,
    /// Finished games per minute, without pauses; `None` before the first.
    pub games_per_minute: Option<f64>,
    /// The estimated time left, in microseconds: of the schedule, or of the SPRT if its trend holds. `None` if
    /// unknown.
    #[serde(rename = "time_left_us", with = "micros::option")]
    pub time_left: Option<Duration>,
    /// The games in progress.
    pub in_progress: Vec<GameInProgress>,
    /// Score, Elo, SPRT and faults, as in `summary.json`.
    pub summary: Summary,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInProgress {
    /// Its number, from 1.
    pub number: u32,
    /// The engine that plays White.
    pub white: String,
    /// The engine that plays Black.
    pub black: String,
    /// When it started.
    pub started: Timestamp,
}

impl RunStatus {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The state of a run.
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
            // Rounded to microseconds, as it is serialized.
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
    use crate::results::made_up_games::{config, events_of, finished, game};
    use runner::{Event, FinishReason};

    fn state_after(events: &[Event]) -> RunState {
        let mut state = RunState::new(&config(&["new", "old"], true));
        for event in events {
            state.update(event);
        }
        state
    }

    #[test]
    fn a_journal_without_an_end_is_an_interruption_without_games_in_progress() {
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
    fn a_duplicate_game_counts_once_and_an_abandoned_game_has_no_result() {
        let mut events = events_of("wdl");
        events.push(events[2].clone());
        events.push(finished(game(3, (1, 0), None)));
        let summary = state_after(&events).summary();
        assert_eq!((summary.games, summary.abandoned), (3, 1));
    }

    #[test]
    fn the_reason_for_the_end_decides_whether_the_run_is_finished() {
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
