//! The engines and positions of a measurement.

use std::time::Duration;

use crate::engines::EngineSession;
use uci::Go;

/// An engine to measure.
#[derive(Debug)]
pub struct MeasuredEngine {
    /// Its name.
    pub name: String,
    /// Its process, ready for a search.
    pub session: EngineSession,
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// The limit of a search; `None` for nodes that take about 25 ms, or for a time where an engine ignores node limits.
    pub go: Option<Go>,
    /// The duration of all searches, roughly, without a limit.
    pub duration: Duration,
    /// Number of times each position is searched.
    pub rounds: u32,
}

impl SpeedPlan {
    /// Number of searches by `engines` engines if each position has one turn per round: two by each engine of a pair, or
    /// two by a single engine.
    pub fn searches(&self, engines: usize) -> usize {
        let each = if engines < 2 { 2 } else { 4 * (engines - 1) };
        self.positions.len() * self.rounds as usize * each
    }
}
