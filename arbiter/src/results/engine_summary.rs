//! Summarizes the games of one engine in a run.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit_use::LimitDoubt;
use runner::{Termination, micros};
use stats::{EloEstimate, Wdl};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One engine's games, taken together.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct EngineSummary {
    /// The name in the configuration.
    pub name: String,
    /// Games with a result.
    pub games: u64,
    /// Its wins, draws and losses.
    pub wdl: Wdl,
    /// A point for a win, half a point for a draw.
    pub points: f64,
    /// Points per game, from 0 to 1; null before the first game.
    pub score: Option<f64>,
    /// The Elo difference to the average of those it played, from its score alone: how strong they were does not enter,
    /// so that it is no rating. From completed pairs of games; from single games as long as there is no pair.
    pub elo_vs_opponents: EloEstimate,
    /// How often it misbehaved, by kind. Kinds that never happened are left out.
    pub faults: BTreeMap<Termination, u64>,
    /// How many of them the machine or the runner caused.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub excused: u64,
    /// Moves that it played itself.
    pub moves: u64,
    /// Nodes that it reported.
    pub nodes: u64,
    /// Time that it took for its moves; in microseconds in the file.
    #[serde(rename = "time_us", with = "micros")]
    #[schemars(with = "u64")]
    pub time: Duration,
    /// The mean of the depths it reported, in plies; `None` if it reported none.
    pub mean_depth: Option<f64>,
    /// Nodes reported by the time of the moves they were reported for; `None` if it reported none.
    pub nodes_per_second: Option<u64>,
    /// Our time less its own; `None` if it does not report its time.
    pub latency: Option<Latency>,
    /// The share of its time that it used, from 0 to 1: of what its clock gave in each game, or of its time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_share: Option<f64>,
    /// What speaks against a test by its searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<LimitDoubt>,
}

/// How much longer moves took on our clock than the engine said: the pipe, the scheduler, the last words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Latency {
    /// The median, to within 1%; zero in a summary that was written before it was counted.
    #[serde(rename = "p50_us", with = "micros", default)]
    #[schemars(with = "u64")]
    pub p50: Duration,
    /// The 99th percentile, to within 1%.
    #[serde(rename = "p99_us", with = "micros")]
    #[schemars(with = "u64")]
    pub p99: Duration,
    /// The largest.
    #[serde(rename = "max_us", with = "micros")]
    #[schemars(with = "u64")]
    pub max: Duration,
}

impl EngineSummary {
    pub fn faults_of(&self, kind: Termination) -> u64 {
        self.faults.get(&kind).copied().unwrap_or(0)
    }

    /// Whether the engine hardly searched, although its limits allowed more.
    pub fn is_shallow(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, LimitDoubt::Shallow { .. }))
    }

    pub fn other_faults(&self) -> u64 {
        self.faults.values().sum::<u64>() - self.faults_of(Termination::TimeLoss)
    }
}
