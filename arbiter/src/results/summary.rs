//! The summary of a run, `summary.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use runner::{Format, GameRecord, MoveRecord, RunConfig, Shard, Termination, Tie, Tuning, micros};
use stats::{EloEstimate, Llr, Los, NormalizedEloEstimate, Pentanomial, Sprt, SprtStatus, Wdl};

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
    pub games: u64,
    /// Games that the whole schedule has; a sequential test may end before, and level ties of a knockout add to it.
    pub planned: u64,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_empty(wdl: &Wdl) -> bool {
    wdl.games() == 0
}

/// One engine's games, taken together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSummary {
    /// The name in the configuration.
    pub name: String,
    pub games: u64,
    /// Wins, draws and losses.
    pub wdl: Wdl,
    /// A point for a win and half a point for a draw.
    pub points: f64,
    /// Points per game, from 0 to 1; `None` before the first game.
    pub score: Option<f64>,
    /// The Elo difference to the average of those it played, from its score alone: how strong they were does not enter,
    /// so that it is no rating. From completed pairs of games; from single games as long as there is no pair.
    pub elo_vs_opponents: EloEstimate,
    /// How often it misbehaved, by kind. Kinds that never happened are left out.
    pub faults: BTreeMap<Termination, u64>,
    /// How many of them the machine or the runner caused.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub excused: u64,
    /// Moves that it played, those of the opening not counted.
    pub moves: u64,
    pub nodes: u64,
    /// Time that it took for its moves; in microseconds in the file.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The mean of the depths it reported, in plies; `None` if it reported none.
    pub mean_depth: Option<f64>,
    /// Nodes reported by the time of the moves they were reported for; `None` if it reported none.
    pub nodes_per_second: Option<u64>,
    /// Our time less its own; `None` if it does not report its time.
    pub latency: Option<Latency>,
}

/// How much longer moves took on our clock than the engine said: the pipe, the scheduler, the last words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    /// The median, to within 1%; zero in a summary that was written before it was counted.
    #[serde(rename = "p50_us", with = "micros", default)]
    pub p50: Duration,
    /// The 99th percentile, to within 1%.
    #[serde(rename = "p99_us", with = "micros")]
    pub p99: Duration,
    #[serde(rename = "max_us", with = "micros")]
    pub max: Duration,
}

impl EngineSummary {
    /// How often it misbehaved in one way.
    pub fn faults_of(&self, kind: Termination) -> u64 {
        self.faults.get(&kind).copied().unwrap_or(0)
    }

    /// Faults other than time losses.
    pub fn other_faults(&self) -> u64 {
        self.faults.values().sum::<u64>() - self.faults_of(Termination::TimeLoss)
    }
}

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
    pub status: SprtStatus,
    /// Whether this test, one of several, was given up: the games left would hardly have taken it to H1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
}

impl SprtSummary {
    /// Whether a hypothesis is accepted. An estimate from the games up to then is too far from 0.
    pub fn is_decided(&self) -> bool {
        self.status != SprtStatus::Continue
    }

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

/// A parameter, its first value and its present one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedSummary {
    pub name: String,
    pub from: f64,
    /// The present value, exact: a whole number keeps its fraction for the next pairs.
    pub value: f64,
    /// The present value as the engine takes it.
    pub text: String,
    /// In 95% of runs a parameter without effect ends at most this far from its start value.
    pub by_chance: f64,
}

impl TunedSummary {
    /// The parameters in the order of the run.
    pub fn of_tuning(tuning: &Tuning) -> Vec<TunedSummary> {
        let spsa = tuning.spsa();
        let parameters = spsa.plan().parameters.iter().zip(spsa.parameters());
        let summary = parameters.map(|(parameter, tuned)| TunedSummary {
            name: parameter.name.clone(),
            from: parameter.value,
            value: tuned.value,
            text: parameter.text(parameter.nearest(tuned.value)),
            by_chance: tuned.by_chance,
        });
        summary.collect()
    }

    /// How far the value has moved.
    pub fn change(&self) -> f64 {
        self.value - self.from
    }

    /// The change divided by `by_chance`; 0 before the first change.
    pub fn strength(&self) -> f64 {
        if self.by_chance > 0.0 { self.change().abs() / self.by_chance } else { 0.0 }
    }
}

/// Sums over moves. What an engine does not report is left out of the mean, not counted as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameAverages {
    moves: u64,
    time: Duration,
    nodes: u64,
    /// The nodes that were searched in the time of their move, and the time of those moves.
    nodes_with_time: u64,
    time_with_nodes: Duration,
    depths: u64,
    moves_with_depth: u64,
}

impl GameAverages {
    /// The sums over some moves.
    pub fn of<'a>(moves: impl Iterator<Item = &'a MoveRecord>) -> GameAverages {
        let mut sums = GameAverages::default();
        for played in moves {
            sums.moves += 1;
            sums.time += played.time;
            sums.nodes += played.nodes.unwrap_or(0);
            // The nodes of a search that began on the opponent's time took more than the time on the own clock.
            if let Some(nodes) = played.nodes.filter(|_| !played.pondered) {
                sums.nodes_with_time += nodes;
                sums.time_with_nodes += played.time;
            }
            if let Some(depth) = played.depth {
                sums.depths += u64::from(depth);
                sums.moves_with_depth += 1;
            }
        }
        sums
    }

    /// Adds the moves of another game, or of many.
    pub fn add(&mut self, other: &GameAverages) {
        self.moves += other.moves;
        self.time += other.time;
        self.nodes += other.nodes;
        self.nodes_with_time += other.nodes_with_time;
        self.time_with_nodes += other.time_with_nodes;
        self.depths += other.depths;
        self.moves_with_depth += other.moves_with_depth;
    }

    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// The time of all searches.
    pub const fn time(&self) -> Duration {
        self.time
    }

    /// The nodes of all searches.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// In plies; `None` when no depth was reported.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves_with_depth > 0).then(|| self.depths as f64 / self.moves_with_depth as f64)
    }

    /// All nodes by all the time they took on our clock, moves that were pondered left out; `None` when no nodes were
    /// reported.
    pub fn nodes_per_second(&self) -> Option<u64> {
        let seconds = self.time_with_nodes.as_secs_f64();
        (self.nodes_with_time > 0 && seconds > 0.0).then(|| (self.nodes_with_time as f64 / seconds) as u64)
    }
}

#[cfg(test)]
mod tests;
