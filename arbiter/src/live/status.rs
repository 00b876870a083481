//! The state of a run, running or not, as JSON and as text.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::live::progress::{ProgressText, TimeLeft};
use crate::report::verdict::end_words;
use crate::results::{RunPhase, RunState, Summary};
use crate::text::number_text::{self, counted, long_time};
use runner::micros;

/// The state of a run at one moment. `schema` changes whenever a field changes its meaning or is removed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStatus {
    pub schema: u32,
    pub state: RunPhase,
    pub concurrency: usize,
    pub games_per_minute: Option<f64>,
    /// The estimated time left, in microseconds: of the schedule, or of the SPRT if its trend holds. `None` if
    /// it is unknown.
    #[serde(rename = "time_left_us", serialize_with = "micros::serialize")]
    pub time_left: Option<Duration>,
    pub in_progress: Vec<GameInProgress>,
    pub summary: Summary,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameInProgress {
    pub number: u32,
    pub white: String,
    pub black: String,
    pub started: Timestamp,
}

impl RunStatus {
    pub const SCHEMA: u32 = 1;

    pub fn new(run: &RunState, state: RunPhase) -> RunStatus {
        let summary = run.quick_summary();
        let in_progress = run.present.iter().map(|(game, present)| GameInProgress {
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

const GAMES_SHOWN: usize = 16;

#[derive(Clone, Copy, Debug)]
pub struct StatusText<'a> {
    pub run: &'a RunState,
    pub phase: &'a RunPhase,
    pub now: Timestamp,
    pub width: usize,
    pub colour: bool,
}

impl StatusText<'_> {
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("  {}", self.phase())];
        let is_going_on = !matches!(self.phase, RunPhase::Interrupted { .. } | RunPhase::Finished { .. });
        let display = ProgressText { width: self.width, colour: self.colour, is_going_on };
        lines.extend(display.lines(self.run));
        let less = number_text::repeated_games(self.run.schedule().repeated_games()).into_iter();
        lines.extend(less.chain(self.run.overview().doubts()).map(|line| format!("  {line}")));
        lines.extend(self.games());
        lines
    }

    fn phase(&self) -> String {
        let concurrency = self.run.pace().concurrency;
        let in_progress = || counted(self.run.present.len() as u64, "game");
        match self.phase {
            RunPhase::Running => format!("running, concurrency {concurrency}"),
            RunPhase::Paused => format!("paused, {} in progress", in_progress()),
            RunPhase::Stopping => format!("stopping, {} in progress", in_progress()),
            RunPhase::Interrupted { reason: None } => {
                "interrupted: the process ended unexpectedly".to_owned()
            }
            RunPhase::Interrupted { reason: Some(reason) } => format!("interrupted: {}", end_words(reason)),
            RunPhase::Finished { reason } => format!("finished: {}", end_words(reason)),
        }
    }

    fn games(&self) -> Vec<String> {
        let games = self.run.present.iter();
        let rest = games.len().saturating_sub(GAMES_SHOWN);
        let mut lines: Vec<String> = games
            .take(GAMES_SHOWN)
            .map(|(game, present)| {
                let since = self.now.duration_since(present.started).try_into().unwrap_or_default();
                let (white, black) =
                    (self.run.engine_name(present.white), self.run.engine_name(present.black));
                format!("  game {}   {white} – {black}   {}", game + 1, long_time(since))
            })
            .collect();
        lines.extend((rest > 0).then(|| format!("  and {rest} more")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, state_of, two_engine_match};
    use runner::{Event, FinishReason};

    fn text(state: &RunPhase, games_in_progress: u32) -> String {
        text_after("wdwwldddwd", state, games_in_progress)
    }

    fn text_after(results: &str, state: &RunPhase, games_in_progress: u32) -> String {
        let mut run = state_of(&config(&["new", "old"], true), two_engine_match(results));
        let at = Timestamp::from_second(1_795_000_100).unwrap();
        for game in 10..10 + games_in_progress {
            run.update(&Event::GameStarted { game, white: 0, black: 1, at });
        }
        let now = Timestamp::from_second(1_795_000_112).unwrap();
        StatusText { run: &run, phase: state, now, width: 100, colour: false }.lines().join("\n")
    }

    #[test]
    fn a_running_match() {
        insta::assert_snapshot!(text(&RunPhase::Running, 2));
    }

    #[test]
    fn a_finished_run_has_no_time_left() {
        let text = |state| text_after(&"wdwldd".repeat(10), &state, 0);
        let over = text(RunPhase::Finished { reason: FinishReason::AcceptedH1 });
        assert!(!over.contains("left") && text(RunPhase::Running).contains("left"), "{over}");
    }

    #[test]
    fn long_lists_of_games_are_cut_and_no_line_is_empty() {
        let text = text(&RunPhase::Stopping, 40);
        assert!(text.ends_with("  and 24 more"), "{text}");
        assert!(text.lines().all(|line| !line.trim().is_empty()));
    }
}
