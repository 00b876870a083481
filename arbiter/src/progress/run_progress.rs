//! How far a run has come, and how fast it goes.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use super::time_left::TimeLeft;
use crate::run_state::{NoiseLog, Summary, Tally};
use runner::{Event, GameRecord, Pace, RunConfig};

/// The state of a run while it goes on, kept up by its events. It has no clock of its own: time is that of the events.
#[derive(Clone, Debug)]
pub struct Progress {
    tally: Tally,
    /// When games began to be played, after the last interruption; later by the length of every pause since.
    since: Option<Timestamp>,
    now: Option<Timestamp>,
    /// Games that ended since then.
    finished: u64,
    pace: Pace,
    /// When the present pause began.
    paused_at: Option<Timestamp>,
    /// The games that began and have not ended, by their index.
    present: BTreeMap<u32, PresentGame>,
    noise: NoiseLog,
}

/// A game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentGame {
    /// Index of the engine with the white pieces.
    pub white: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
    /// When it began.
    pub started: Timestamp,
}

impl Progress {
    /// A run that goes on after `games`, or begins where there are none.
    pub fn new<'a>(config: &RunConfig, games: impl IntoIterator<Item = &'a GameRecord>) -> Progress {
        let mut tally = Tally::new(config);
        games.into_iter().filter(|game| game.is_counted()).for_each(|game| tally.add(game));
        let pace = Pace { paused: false, concurrency: config.concurrency };
        Progress {
            tally,
            since: None,
            now: None,
            finished: 0,
            pace,
            paused_at: None,
            present: BTreeMap::new(),
            noise: NoiseLog::default(),
        }
    }

    /// Takes note of an event.
    pub fn update(&mut self, event: &Event) {
        let at = match event {
            Event::GameFinished(game) => {
                self.tally.add(game);
                self.finished += u64::from(game.is_counted());
                self.present.remove(&game.game);
                game.ended()
            }
            Event::GameStarted { game, white, black, at } => {
                let present = PresentGame { white: *white, black: *black, started: *at };
                self.present.insert(*game, present);
                *at
            }
            Event::PaceChanged { paused, concurrency, at } => {
                self.change_pace(Pace { paused: *paused, concurrency: *concurrency }, *at);
                *at
            }
            Event::MachineNoise { noise, at } => {
                self.noise.change(*noise, *at);
                *at
            }
            Event::RunStarted { at, .. } | Event::RunResumed { at, .. } | Event::RunFinished { at, .. } => {
                self.present.clear();
                self.noise.end(*at);
                *at
            }
            Event::EngineWarning { .. } | Event::TableUnreadable { .. } => return,
        };
        if matches!(event, Event::RunStarted { .. } | Event::RunResumed { .. }) {
            self.since = Some(at);
        }
        self.now = Some(self.now.map_or(at, |now| now.max(at)));
    }

    /// Takes note that the run began.
    pub fn update_start(&mut self, at: Timestamp) {
        (self.since, self.now) = (Some(at), Some(at));
    }

    /// Time in a pause does not count for the speed; the games that are still finished then do.
    fn change_pace(&mut self, pace: Pace, at: Timestamp) {
        self.pace = pace;
        if pace.paused {
            self.paused_at.get_or_insert(at);
        } else if let (Some(began), Some(since)) = (self.paused_at.take(), self.since) {
            self.since = since.checked_add(at.duration_since(began)).ok().or(self.since);
        }
    }

    /// How many games are played at once, or none in a pause.
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// The games that are being played, with their index.
    pub fn in_progress(&self) -> impl ExactSizeIterator<Item = (u32, PresentGame)> {
        self.present.iter().map(|(&game, &present)| (game, present))
    }

    /// Says that nobody plays the games any more that began and have not ended.
    pub fn forget_games_in_progress(&mut self) {
        self.present.clear();
    }

    /// Whether the machine was noisy, as far as anybody looked.
    pub const fn noise(&self) -> &NoiseLog {
        &self.noise
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

    /// How long the rest takes at this pace.
    pub fn time_left(&self, summary: &Summary) -> Option<TimeLeft> {
        TimeLeft::of(summary, self.total(), self.games_per_minute()?)
    }
}
