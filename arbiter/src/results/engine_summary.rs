//! Summarizes the games of one engine in a run.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit_use::LimitDoubt;
use runner::{Termination, micros};
use stats::{EloEstimate, Wdl};

/// The games of one engine.
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
    /// The Elo difference to the average opponent, from the score alone; it is not a rating, because it ignores the
    /// opponents' strength. From completed pairs of games, or from single games until there is a pair.
    pub elo_vs_opponents: EloEstimate,
    /// The number of faults by kind. Kinds that never happened are left out.
    pub faults: BTreeMap<Termination, u64>,
    /// The number of faults that the machine or the runner caused.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub excused: u64,
    /// Moves that the engine played itself.
    pub moves: u64,
    /// Nodes that the engine reported.
    pub nodes: u64,
    /// Time of the engine's moves; in microseconds in the file.
    #[serde(rename = "time_us", with = "micros")]
    #[schemars(with = "u64")]
    pub time: Duration,
    /// The mean of the reported depths, in plies; `None` if none was reported.
    pub mean_depth: Option<f64>,
    /// Reported nodes divided by the time of their moves; `None` if no nodes were reported.
    pub nodes_per_second: Option<u64>,
    /// Our time minus the engine's own; `None` if the engine does not report its time.
    pub latency: Option<Latency>,
    /// The share of its time that the engine used, from 0 to 1: of its clock in each game, or of its time per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_share: Option<f64>,
    /// Reasons to doubt a test, from the engine's searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<LimitDoubt>,
}

/// How much longer moves took on our clock than the engine reported, due to pipe, scheduler and last output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Latency {
    /// The median, to within 1%; zero in summaries written before it was recorded.
    #[serde(rename = "p50_us", with = "micros", default)]
    #[schemars(with = "u64")]
    pub p50: Duration,
    /// The 99th percentile, to within 1%.
    #[serde(rename = "p99_us", with = "micros")]
    #[schemars(with = "u64")]
    pub p99: Duration,
    /// The maximum.
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
