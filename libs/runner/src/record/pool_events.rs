//! What a shard learns from its pool, as its journal records it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::FinishReason;
use stats::Observations;

/// The decision of a pool's test, and the games that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolDecision {
    /// H0 or H1.
    pub reason: FinishReason,
    /// What the test counted.
    pub counts: Observations,
    /// For each shard, its number and how many games the test counted, the first ones of its journal.
    pub games: Vec<(u32, u32)>,
}

impl PoolDecision {
    /// The number of games of this shard that the decision rests on.
    pub fn games_of(&self, shard: u32) -> u32 {
        self.games.iter().find(|(number, _)| *number == shard).map_or(0, |(_, games)| *games)
    }

    /// The decision that holds if shards came to different ones: the one that rests on the fewest games.
    #[must_use]
    pub fn first(self, other: PoolDecision) -> PoolDecision {
        let key = |decision: &PoolDecision| {
            let all: u64 = decision.games.iter().map(|(_, games)| u64::from(*games)).sum();
            (all, decision.games.clone())
        };
        if key(&other) < key(&self) { other } else { self }
    }
}

/// What a shard has read from the pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolView {
    /// What the test counts of all shards together.
    pub counts: Observations,
    /// For each shard that was read, its number and the games of its journal that count.
    pub games: Vec<(u32, u32)>,
    /// The shards that have not ended but have sent no news for a long time, such as `3/10 (ada)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silent: Vec<String>,
    /// The problem with the pool, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// When the pool was read.
    pub at: Timestamp,
}

impl PoolView {
    pub(crate) fn says_the_same_as(&self, other: &PoolView) -> bool {
        *self == PoolView { at: self.at, ..other.clone() }
    }
}
