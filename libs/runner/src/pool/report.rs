//! The reports that shards exchange.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::record::micros;
use crate::{GameRecord, Machine, PoolDecision, RunConfig, Schedule, Shard, Termination};
use stats::Observations;

/// The longest line that is accepted, in bytes: a report has some hundreds, and some more for each shard.
pub(super) const MOST_BYTES: usize = 256 << 10;

/// The longest name of a session or of a machine, in bytes.
const LONGEST_NAME: usize = 300;

/// The report of a shard on its part of the run; one line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardReport {
    /// The version of the format.
    pub schema: u32,
    /// The SHA-256 of what all shards of the run have in common.
    pub run: String,
    /// The number of this shard, and the number of shards.
    pub shard: Shard,
    /// When and where its journal began. It distinguishes two runs of the same shard.
    pub session: String,
    /// The shard's machine. If an engine has another bench there than here, the report does not count here.
    pub machine: Machine,
    /// A number that differs in each report while the shard plays.
    pub beat: u64,
    /// The number of games that count: the first ones of its journal.
    pub games: u32,
    /// The results that the test counts.
    pub counts: Observations,
    /// The number of games that an engine lost by a fault other than a time loss.
    pub faults: u64,
    /// The number of time losses.
    pub time_losses: u64,
    /// The number of nodes of all moves.
    pub nodes: u64,
    /// The thinking time of all moves.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The decision of the test, once this shard knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<PoolDecision>,
    /// Whether the shard has ended.
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

    /// What makes this report impossible for a shard of this run, or its decision for the test of the run. `before` is
    /// the schedule of the run before its first game.
    pub fn problem(&self, config: &RunConfig, before: &Schedule) -> Option<String> {
        let lost = self.faults.saturating_add(self.time_losses);
        let most = |shard: Shard| config.part_of(shard, config.games).len();
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
            return Some(format!("{} games, but it has only {}", self.games, most(self.shard)));
        }
        if !self.counts.are_like(config.trinomial) || self.counts.games() > self.games.into() {
            return Some(format!("{}, which do not fit its {} games", counts_text(&self.counts), self.games));
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
            format!("a verdict, {:?}, that {} do not support", decision.reason, counts_text(&decision.counts))
        })
    }

    /// The shard and its machine, such as `3/10 (ada)`.
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
