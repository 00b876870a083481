//! What is known about two engines that met.

use serde::{Deserialize, Serialize};

use stats::{EloEstimate, Llr, Los, NormalizedEloEstimate, Pentanomial, Sprt, SprtStatus, Wdl};

/// The games of two engines, seen by the first.
///
/// Everything but `wdl` is taken from completed pairs of games; as long as there is none, from single games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairingSummary {
    /// Index of the engine that comes first in the configuration.
    pub first: usize,
    /// Index of the other engine.
    pub second: usize,
    /// Wins, draws and losses, single games and those of open pairs included.
    pub wdl: Wdl,
    /// Completed pairs by what they are worth.
    pub pentanomial: Pentanomial,
    /// The Elo difference and its 95% interval.
    pub elo: EloEstimate,
    /// The normalized Elo difference and its 95% interval.
    pub normalized_elo: NormalizedEloEstimate,
    /// The probability that the first engine is stronger.
    pub los: Los,
    /// The share of level pairs, from 0 to 1 (of drawn games as long as there is no pair); `None` without games.
    pub draw_ratio: Option<f64>,
    /// Pairs won by pairs lost; `None` while none is lost.
    pub pair_ratio: Option<f64>,
    /// Where the sequential test stands, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
}

/// A sequential test and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The hypotheses and the probabilities of error; of several tests each has its part of alpha.
    pub test: Sprt,
    /// The log-likelihood ratio of the completed pairs, or of single games where openings were not paired.
    pub llr: Llr,
    /// The ratio at which H0 is accepted.
    pub lower: Llr,
    /// The ratio at which H1 is accepted.
    pub upper: Llr,
    /// What the ratio says.
    pub status: SprtStatus,
    /// Whether this test, one of several, was given up: the games left would hardly have taken it to H1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
}

impl SprtSummary {
    /// Where the test stands at this ratio.
    pub fn new(test: &Sprt, llr: Llr) -> SprtSummary {
        let (lower, upper, status) = (test.lower(), test.upper(), test.status(llr));
        SprtSummary { test: *test, llr, lower, upper, status, given_up: false }
    }

    /// Whether the test has its verdict or was given up.
    pub fn is_over(&self) -> bool {
        self.given_up || self.status != SprtStatus::Continue
    }
}
