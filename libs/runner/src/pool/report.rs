//! What shards tell each other.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::record::micros;
use crate::{FinishReason, GameRecord, Machine, RunConfig, Schedule, Shard, Termination};
use stats::Observations;

/// The longest line that a shard may be told, in bytes: a report has some hundreds, and some more for each shard.
pub(super) const MOST_BYTES: usize = 256 << 10;

/// The longest session or name of a machine, in bytes.
const LONGEST_NAME: usize = 300;

/// What a shard tells the others of its run; one line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardReport {
    /// The version of the format.
    pub schema: u32,
    /// The SHA-256 of what all shards of the run have in common.
    pub run: String,
    /// Which one it is.
    pub shard: Shard,
    /// When and where its journal began. It tells two that play the same shard apart.
    pub session: String,
    /// Its machine. One on which an engine searches other nodes than here does not count here.
    pub machine: Machine,
    /// Another number in each report, as long as it plays.
    pub beat: u64,
    /// The games of its journal that count, from the first.
    pub games: u32,
    /// What a test counts of them.
    pub counts: Observations,
    /// Those that an engine lost by a fault other than a time loss.
    pub faults: u64,
    /// Those that were lost on time.
    pub time_losses: u64,
    /// The nodes of all moves.
    pub nodes: u64,
    /// The time of all moves.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The verdict of the test, once it is known there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<PoolDecision>,
    /// Whether it plays no more.
    #[serde(default)]
    pub ended: bool,
}

impl ShardReport {
    /// The version of the format.
    pub const SCHEMA: u32 = 1;

    pub(super) fn add(&mut self, game: &GameRecord) {
        match game.termination {
            Termination::TimeLoss => self.time_losses += 1,
            _ => self.faults += u64::from(game.offender.is_some()),
        }
        self.nodes += game.moves.iter().filter_map(|played| played.nodes).sum::<u64>();
        self.time += game.moves.iter().map(|played| played.time).sum::<Duration>();
    }

    /// What cannot be true of a shard of this run, or of what is said of its test. `before` is the run before its first
    /// game.
    pub fn problem(&self, config: &RunConfig, before: &Schedule) -> Option<String> {
        let (each, lost) = (config.rounds.games, self.faults.saturating_add(self.time_losses));
        let most = |shard: Shard| shard.strided(config.games / each, each).len();
        if self.schema != ShardReport::SCHEMA {
            return Some(format!(
                "schema {}, expected {}; use the same arbiter for all shards",
                self.schema,
                ShardReport::SCHEMA
            ));
        }
        if self.session.len().max(self.machine.name.len()) > LONGEST_NAME {
            return Some(format!("a name of more than {LONGEST_NAME} bytes"));
        }
        if self.games > most(self.shard) {
            return Some(format!("{} games, of which it has {}", self.games, most(self.shard)));
        }
        if !self.counts.are_like(config.trinomial) || self.counts.games() > self.games.into() {
            return Some(format!("{} that are none of {} games", counts_text(&self.counts), self.games));
        }
        if lost > self.games.into() {
            return Some(format!("{lost} faults in {} games", self.games));
        }
        let decision = self.decision.as_ref()?;
        let numbers: BTreeSet<u32> = decision.games.iter().map(|(shard, _)| *shard).collect();
        let is_possible = |&(shard, games): &(u32, u32)| {
            format!("{shard}/{}", self.shard.of()).parse().is_ok_and(|shard| games <= most(shard))
        };
        let games: u64 = decision.games.iter().map(|(_, games)| u64::from(*games)).sum();
        let is_sound = numbers.len() == decision.games.len()
            && decision.games.iter().all(is_possible)
            && decision.counts.games() <= games
            && before.clone().decide(decision);
        (!is_sound).then(|| {
            format!(
                "a verdict, {:?}, that {} do not bear out",
                decision.reason,
                counts_text(&decision.counts)
            )
        })
    }

    /// `3/10 (ada)`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.shard, self.machine.name)
    }
}

fn counts_text(counts: &Observations) -> String {
    match counts {
        Observations::Pairs(pairs) => format!("pairs {:?}", pairs.counts()),
        Observations::Games(games) => format!("{} single games", games.games()),
    }
}

/// The verdict of the test of a pool, and the games that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolDecision {
    /// H0 or H1.
    pub reason: FinishReason,
    /// What the test counted.
    pub counts: Observations,
    /// The number of each shard, and how many of the games that count in its journal, from the first, were among them.
    pub games: Vec<(u32, u32)>,
}

impl PoolDecision {
    /// How many games of a shard it rests on.
    pub fn games_of(&self, shard: u32) -> u32 {
        self.games.iter().find(|(number, _)| *number == shard).map_or(0, |(_, games)| *games)
    }

    /// The one that holds, where shards came to different ones: that which rests on the fewest games.
    #[must_use]
    pub fn first(self, other: PoolDecision) -> PoolDecision {
        let key = |decision: &PoolDecision| {
            let all: u64 = decision.games.iter().map(|(_, games)| u64::from(*games)).sum();
            (all, decision.games.clone())
        };
        if key(&other) < key(&self) { other } else { self }
    }
}

/// What a shard has read of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolView {
    /// What the test counts of all shards together.
    pub counts: Observations,
    /// The number of each shard that was read, and the games of its journal that count.
    pub games: Vec<(u32, u32)>,
    /// The shards that play on as far as anybody knows and have said nothing for a long time, as `3/10 (ada)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silent: Vec<String>,
    /// What is wrong with the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// When that was.
    pub at: Timestamp,
}

impl PoolView {
    pub(super) fn says_the_same_as(&self, other: &PoolView) -> bool {
        *self == PoolView { at: self.at, ..other.clone() }
    }
}
