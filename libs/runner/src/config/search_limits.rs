//! The search limits of an engine.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{TimeControl, duration_text};
use uci::Go;

/// A time control, limits per move, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLimits {
    /// A time control for the game. An engine that oversteps it loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// A fixed time per move. An engine that oversteps it loses.
    #[serde(
        alias = "movetime_ms",
        default,
        skip_serializing_if = "Option::is_none",
        with = "duration_text::option_or_millis"
    )]
    pub movetime: Option<Duration>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth per move in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// Why limits are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SearchLimitsError {
    /// No limit.
    #[error("no limit: expected a time control, a time per move, nodes or a depth")]
    Unlimited,
    /// Both a clock and a fixed time per move.
    #[error("a time control and a time per move contradict each other: give one of them")]
    ClockAndMovetime,
    /// A limit of zero.
    #[error("the limit `{0}` is zero: expected a positive number")]
    Zero(&'static str),
}

impl SearchLimits {
    /// The `go` command with the limits per move; the clock is not in it, because it changes with each move.
    pub fn go(&self) -> Go {
        Go { depth: self.depth, nodes: self.nodes, movetime: self.movetime, ..Go::default() }
    }

    /// Checks that the limits end every search and do not contradict each other.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), SearchLimitsError> {
        let limits =
            [self.clock.is_some(), self.movetime.is_some(), self.nodes.is_some(), self.depth.is_some()];
        if !limits.contains(&true) {
            return Err(SearchLimitsError::Unlimited);
        }
        if self.clock.is_some() && self.movetime.is_some() {
            return Err(SearchLimitsError::ClockAndMovetime);
        }
        let zeros = [
            ("movetime", self.movetime == Some(Duration::ZERO)),
            ("nodes", self.nodes == Some(0)),
            ("depth", self.depth == Some(0)),
        ];
        match zeros.into_iter().find(|(_, is_zero)| *is_zero) {
            Some((name, _)) => Err(SearchLimitsError::Zero(name)),
            None => Ok(()),
        }
    }

    /// Whether the engines' moves can depend on how fast the machine is.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> TimeControl {
        "10+0.1".parse().unwrap()
    }

    #[test]
    fn a_search_must_end_some_time() {
        assert_eq!(SearchLimits::default().validate(), Err(SearchLimitsError::Unlimited));
        let nodes = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
        assert_eq!(nodes.validate(), Ok(()));
        let none = SearchLimits { nodes: Some(0), ..SearchLimits::default() };
        assert_eq!(none.validate(), Err(SearchLimitsError::Zero("nodes")));
    }

    #[test]
    fn a_clock_goes_with_nodes_but_not_with_a_time_per_move() {
        let both = SearchLimits { clock: Some(clock()), nodes: Some(1000), ..SearchLimits::default() };
        assert_eq!(both.validate(), Ok(()));
        let movetime = Some(Duration::from_millis(100));
        let contradiction = SearchLimits { clock: Some(clock()), movetime, ..SearchLimits::default() };
        assert_eq!(contradiction.validate(), Err(SearchLimitsError::ClockAndMovetime));
    }
}
