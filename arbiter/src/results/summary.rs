//! The summary of a run, `summary.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine_summary::EngineSummary;
use super::pairing_summary::{PairingSummary, SprtSummary};
use super::tally::Tally;
use super::tuned_summary::TunedSummary;
use runner::{Format, GameRecord, RunConfig, Shard, Termination, Tie, micros};
use stats::Wdl;

/// Everything that the games of a run say when taken together.
///
/// A pure function of the configuration and the games, so that it can be made again from the journal. In the file,
/// `schema` changes whenever a field changes its meaning or goes away; infinite numbers are `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this format.
    pub schema: u32,
    /// Which part of a run this is, if it is not the whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Games with a result.
    pub games: u64,
    /// Games that the whole schedule has; a sequential test may end before, and level ties of a knockout add to it.
    pub planned: u64,
    /// Who meets whom.
    #[serde(default, skip_serializing_if = "Format::is_default")]
    pub format: Format,
    /// Games that were cut short by the end of the run and have no result.
    pub abandoned: u64,
    /// Games that were in flight when the sequential test decided, seen by the first engine, or by the first of its
    /// pairing where there are several tests. They are among `games` but not in any score.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub after_decision: Wdl,
    /// What engines did wrong without losing for it.
    pub warnings: u64,
    /// From the start of the first game to the end of the last, pauses included; in microseconds in the file.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
    /// How games ended, abandoned ones included. Kinds that never happened are left out.
    pub terminations: BTreeMap<Termination, u64>,
    /// The engines in the order of the configuration.
    pub engines: Vec<EngineSummary>,
    /// Every two engines, those that have not met included.
    pub pairings: Vec<PairingSummary>,
    /// The parameters of a tuning run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<TunedSummary>,
    /// The rounds of a knockout, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<Vec<Tie>>,
}

impl Summary {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 2;

    /// The summary of finished games.
    pub fn new<'a>(config: &RunConfig, games: impl IntoIterator<Item = &'a GameRecord>) -> Summary {
        let mut tally = Tally::new(config);
        games.into_iter().for_each(|game| tally.add(game));
        tally.summary()
    }

    /// The name of an engine.
    pub fn engine_name(&self, engine: usize) -> &str {
        self.engines.get(engine).map_or("?", |engine| &engine.name)
    }

    /// Indices of the engines, the highest score first; those that have not played come last.
    pub fn by_score(&self) -> Vec<usize> {
        let score = |engine: usize| self.engines[engine].score.unwrap_or(-1.0);
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        order
    }

    /// The names of the engines with the highest score.
    pub fn leaders(&self) -> Vec<&str> {
        let order = self.by_score();
        let score = |engine: &usize| self.engines[*engine].score;
        let best = order.iter().filter(|engine| score(engine) == score(&order[0]));
        best.map(|&engine| self.engine_name(engine)).collect()
    }

    /// The pairings that have a sequential test, with their tests.
    pub fn tests(&self) -> impl Iterator<Item = (&PairingSummary, &SprtSummary)> {
        self.pairings.iter().filter_map(|pairing| Some((pairing, pairing.sprt.as_ref()?)))
    }

    /// Whether several pairings have a test each.
    pub fn has_several_tests(&self) -> bool {
        self.tests().nth(1).is_some()
    }

    /// The two engines' summary, in the order asked for; seen by the lower index in any case.
    pub fn pairing(&self, one: usize, other: usize) -> Option<&PairingSummary> {
        let wanted = (one.min(other), one.max(other));
        self.pairings.iter().find(|pairing| (pairing.first, pairing.second) == wanted)
    }
}

fn is_empty(wdl: &Wdl) -> bool {
    wdl.games() == 0
}

#[cfg(test)]
mod tests;
