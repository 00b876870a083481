//! One line of the table: a bad engine, and what becomes of its games.

use std::time::Duration;

use runner::{RunConfig, SearchLimits, Termination};

/// A bad engine and what is expected of a match against it.
#[derive(Clone, Copy)]
pub struct Case {
    /// What the mock engine does.
    pub mode: &'static str,
    /// What comes of it.
    pub expected: Expected,
    /// Changes to the usual match.
    pub adapt: fn(&mut RunConfig),
    /// An opening in place of the usual ones, for what does not happen in every position.
    pub opening: Option<&'static str>,
}

/// What becomes of the games. The texts are words of the detail or of the warning.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// Nothing: no fault and no warning.
    Fine,
    /// No fault, but a warning.
    Warning(&'static str),
    /// The bad engine loses every game in this way.
    Loses(Termination, &'static str),
    /// The bad engine loses one game or more in this way, and none in another.
    LosesSome(Termination, &'static str),
    /// The bad engine does not start, and the run ends for that.
    NeverStarts(Termination, &'static str),
}

impl Case {
    /// A match with the usual openings.
    pub const fn new(mode: &'static str, expected: Expected) -> Case {
        Case { mode, expected, adapt: |_| {}, opening: None }
    }

    /// A match from this position.
    pub const fn from(mut self, opening: &'static str) -> Case {
        self.opening = Some(opening);
        self
    }

    /// A match with changes.
    pub const fn with(mut self, adapt: fn(&mut RunConfig)) -> Case {
        self.adapt = adapt;
        self
    }

    /// A match with an engine that keeps us waiting for `uciok` or `readyok`.
    pub const fn impatient(self) -> Case {
        self.with(|config| config.timeouts.ready = Duration::from_millis(800))
    }
}

/// The bad engine plays with a clock, the good one with nodes.
pub fn on_the_clock(config: &mut RunConfig) {
    let clock = "0.1+0.1".parse().unwrap();
    config.engines[0].limits = Some(SearchLimits { clock: Some(clock), ..SearchLimits::default() });
}

/// The bad engine plays with a time for each move.
pub fn by_time_per_move(config: &mut RunConfig) {
    let movetime = Some(Duration::from_millis(100));
    config.engines[0].limits = Some(SearchLimits { movetime, ..SearchLimits::default() });
}

/// Both play to a depth.
pub fn by_depth(config: &mut RunConfig) {
    config.limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
}
