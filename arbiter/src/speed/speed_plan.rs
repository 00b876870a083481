//! Who is measured, and by what.

use std::time::Duration;

use crate::engines::EngineSession;
use uci::Go;

/// An engine that takes part.
#[derive(Debug)]
pub struct SpeedContest {
    /// What it is called.
    pub name: String,
    /// The engine, ready.
    pub session: EngineSession,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// The limit of a search; `None` for so many nodes as a short moment has, or for a part of the time where an engine
    /// does not count nodes.
    pub go: Option<Go>,
    /// How long all of it should take, about, when there is no limit.
    pub duration: Duration,
    /// How often each position is gone through.
    pub rounds: u32,
}

impl SpeedPlan {
    /// How many searches there are for so many engines when each position has one turn in a round: two each when they
    /// are compared by twos, and two for one alone.
    pub fn searches(&self, engines: usize) -> usize {
        let each = if engines < 2 { 2 } else { 4 * (engines - 1) };
        self.positions.len() * self.rounds as usize * each
    }
}
