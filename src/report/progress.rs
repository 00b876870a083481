//! How far a run has come, and how fast it goes.

use std::time::Duration;

use jiff::Timestamp;

use super::{Summary, Tally};
use crate::runner::{Event, GameRecord, RunConfig};

/// The state of a run while it goes on, kept up by its events. It has no clock of its own: time is that of the events.
#[derive(Clone, Debug)]
pub struct Progress {
    tally: Tally,
    /// When games began to be played, after the last interruption.
    since: Option<Timestamp>,
    now: Option<Timestamp>,
    /// Games that ended since then.
    finished: u64,
}

impl Progress {
    /// A run that goes on after `games`, or begins where there are none.
    pub fn new<'a>(config: &RunConfig, games: impl IntoIterator<Item = &'a GameRecord>) -> Progress {
        let mut tally = Tally::new(config);
        games.into_iter().filter(|game| game.is_counted()).for_each(|game| tally.add(game));
        Progress { tally, since: None, now: None, finished: 0 }
    }

    /// Takes note of an event.
    pub fn update(&mut self, event: &Event) {
        let at = match event {
            Event::GameFinished(game) => {
                self.tally.add(game);
                self.finished += u64::from(game.is_counted());
                game.ended()
            }
            Event::RunStarted { at, .. }
            | Event::RunResumed { at, .. }
            | Event::GameStarted { at, .. }
            | Event::RunFinished { at, .. } => *at,
            Event::EngineWarning { .. } => return,
        };
        if matches!(event, Event::RunStarted { .. } | Event::RunResumed { .. }) {
            self.since = Some(at);
        }
        self.now = Some(self.now.map_or(at, |now| now.max(at)));
    }

    /// What the games say so far.
    pub fn summary(&self) -> Summary {
        self.tally.summary()
    }

    /// How many games the schedule has; that of a knockout may grow.
    pub fn total(&self) -> u32 {
        self.tally.planned()
    }

    /// Games that end per minute, since the start or the last interruption. `None` before the first.
    pub fn games_per_minute(&self) -> Option<f64> {
        let elapsed: Duration = self.now?.duration_since(self.since?).try_into().ok()?;
        (self.finished > 0 && !elapsed.is_zero()).then(|| self.finished as f64 * 60.0 / elapsed.as_secs_f64())
    }

    /// How long the rest of the schedule takes at this pace; a sequential test may end earlier.
    pub fn time_left(&self, summary: &Summary) -> Option<Duration> {
        let left = u64::from(self.total()).saturating_sub(summary.games);
        Duration::try_from_secs_f64(left as f64 * 60.0 / self.games_per_minute()?).ok()
    }
}
