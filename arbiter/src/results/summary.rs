//! The summary of a run, `summary.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine_summary::EngineSummary;
use super::machines::MachineComparison;
use super::pairing_summary::PairingSummary;
use super::pgn_files::PgnFiles;
use runner::{Format, PoolView, Shard, SprtSummary, Termination, Tie, Tuning, micros};
use stats::{BestRule, CandidateStanding, LearnedParameter, Observations, OutOfReach, Wdl};

/// The summary of all games of a run.
///
/// A pure function of the configuration and the games, so it can be recomputed from the journal. In the file, `schema`
/// changes whenever a field changes its meaning or goes away; infinite numbers are `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    /// The version of `summary.json`.
    pub schema: u32,
    /// The shard of the run, such as 3/10; absent for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The results of all shards that this shard has read so far; its sequential test counts them. Absent without a
    /// pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<PoolSummary>,
    /// The PGN files that the games come from, and which facts they lack; absent for a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<PgnFiles>,
    /// Games with a result.
    pub games: u64,
    /// Games in the whole schedule; a sequential test may end earlier, and level ties of a knockout add games.
    pub planned: u64,
    /// The format of the tournament; missing for a round robin.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub format: Format,
    /// Games that were cut short by the end of the run and have no result.
    pub abandoned: u64,
    /// Games in progress when the sequential test decided, from the view of the first engine or, with several tests, of
    /// the first engine of their pairing. They are among `games` but not in any score.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub after_decision: Wdl,
    /// The number of times that engines did something wrong without losing for it.
    pub warnings: u64,
    /// From the start of the first game to the end of the last, pauses included; in microseconds in the file.
    #[serde(rename = "duration_us", with = "micros")]
    #[schemars(with = "u64")]
    pub duration: Duration,
    /// How games ended, abandoned ones included. Kinds that never happened are left out.
    pub terminations: BTreeMap<Termination, u64>,
    /// The engines, in the order of the configuration; indices elsewhere refer to this list.
    pub engines: Vec<EngineSummary>,
    /// Every pairing; with more than 64 engines, only those that met or have a test.
    pub pairings: Vec<PairingSummary>,
    /// The parameters of a tuning run; missing for other runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<TunedSummary>,
    /// The state of the search for the best candidate, if the run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<BestSummary>,
    /// A comparison of the machines, if several played games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<MachineComparison>,
    /// The rounds of a knockout that are known so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<Vec<Tie>>,
}

/// The results of all shards of a run that one shard has read so far.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PoolSummary {
    /// The number of known shards, including this one.
    pub shards: usize,
    /// The number of their games that count.
    pub games: u64,
    /// The results that the test counts.
    pub counts: Observations,
    /// Shards that have been silent for minutes without having ended, such as `3/10 (ada)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silent: Vec<String>,
    /// The problem with the pool, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

impl PoolSummary {
    pub(super) fn of(view: &PoolView) -> PoolSummary {
        PoolSummary {
            shards: view.games.len(),
            games: view.games.iter().map(|(_, games)| u64::from(*games)).sum(),
            counts: view.counts,
            silent: view.silent.clone(),
            trouble: view.trouble.clone(),
        }
    }
}

/// The search for the best of several candidates, judged by their pairs against the base, which is the last engine.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BestSummary {
    /// The rule for finding the best.
    pub rule: BestRule,
    /// The candidates, in the order of the engines.
    pub candidates: Vec<CandidateStanding>,
    /// Why the run ended without finding the best: the base is too weak or too strong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<OutOfReach>,
}

impl BestSummary {
    /// A candidate with a lower probability is no longer shown as possibly the best.
    const OUT: f64 = 0.01;

    /// Indices of the candidates, the largest difference first.
    pub fn order(&self) -> Vec<usize> {
        let nelo = |engine: usize| self.candidates[engine].nelo.value();
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&one, &other| nelo(other).total_cmp(&nelo(one)));
        order
    }

    /// Whether a candidate may still be the best, or within the margin of the best.
    pub fn is_in(&self, engine: usize) -> bool {
        self.candidates[engine].probability >= BestSummary::OUT
    }
}

impl Summary {
    pub const SCHEMA: u32 = 2;

    /// With more engines than this, pairings that have not met are not listed.
    pub const MOST_WITH_ALL_PAIRINGS: usize = 64;

    /// The pairing of a two-engine match; empty for more engines.
    pub fn of_two(&self) -> &[PairingSummary] {
        if self.engines.len() == 2 { &self.pairings } else { &[] }
    }

    pub fn engine_name(&self, engine: usize) -> &str {
        self.engines.get(engine).map_or("?", |engine| &engine.name)
    }

    /// The summary with short names, if a long one would fill a table. Among engines that are one program with different
    /// options, `tarrasch` becomes `base` and `tarrasch:NullMove=false` becomes `-NullMove`.
    pub fn with_short_names(&self) -> Summary {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut summary = self.clone();
        if let Some(short) = short_names(&names) {
            for (engine, name) in summary.engines.iter_mut().zip(short) {
                engine.name = name;
            }
        }
        summary
    }

    /// `base is tarrasch` for each shortened engine name.
    pub fn shortened_to(&self, short: &Summary) -> Vec<String> {
        let engines = short.engines.iter().zip(&self.engines);
        let shortened = engines.filter(|(short, full)| short.name != full.name);
        shortened.map(|(short, full)| format!("{} is {}", short.name, full.name)).collect()
    }

    /// Indices of the engines, the highest score first. Last come engines that have not played and, in PGN files, where
    /// some may have just a game or two, engines with less than a tenth of another's games.
    pub fn by_score(&self) -> Vec<usize> {
        let most = self.engines.iter().map(|engine| engine.games).max().unwrap_or_default();
        let is_rare = |engine: usize| self.files.is_some() && self.engines[engine].games * 10 < most;
        let score = |engine: usize| match self.engines[engine].score {
            Some(score) if is_rare(engine) => score - 1.0,
            score => score.unwrap_or(-2.0),
        };
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|&one, &other| score(other).total_cmp(&score(one)));
        order
    }

    pub fn leaders(&self) -> Vec<&str> {
        let order = self.by_score();
        let score = |engine: &usize| self.engines[*engine].score;
        let best = order.iter().filter(|engine| score(engine) == score(&order[0]));
        best.map(|&engine| self.engine_name(engine)).collect()
    }

    /// How many games repeat the moves of an earlier game of the same players.
    pub fn repeated_games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.repeats.games.games()).sum()
    }

    pub fn tests(&self) -> impl Iterator<Item = (&PairingSummary, &SprtSummary)> {
        self.pairings.iter().filter_map(|pairing| Some((pairing, pairing.estimates.sprt.as_ref()?)))
    }

    pub fn has_several_tests(&self) -> bool {
        self.tests().nth(1).is_some()
    }

    /// The summary of two engines, named in either order, from the view of the one with the lower index.
    pub fn pairing(&self, one: usize, other: usize) -> Option<&PairingSummary> {
        let wanted = (one.min(other), one.max(other));
        let place = self.pairings.binary_search_by_key(&wanted, |pairing| (pairing.first, pairing.second));
        Some(&self.pairings[place.ok()?])
    }
}

/// The longest name that fits a table.
const LONGEST_NAME: usize = 24;

/// Short names, if a name is too long and all engines are one program with different options.
fn short_names(names: &[&str]) -> Option<Vec<String>> {
    let parts: Vec<(&str, Option<&str>)> = names
        .iter()
        .map(|name| name.split_once(':').map_or((*name, None), |(base, set)| (base, Some(set))))
        .collect();
    let is_long = names.iter().any(|name| name.chars().count() > LONGEST_NAME);
    let is_one = parts.iter().all(|(base, _)| *base == parts[0].0);
    let short = |setting: &str| match setting.split_once('=') {
        Some((option, "false")) => format!("-{option}"),
        Some((option, "true")) => format!("+{option}"),
        _ => setting.to_owned(),
    };
    let words = |set: &str| set.split(',').map(short).collect::<Vec<_>>().join(" ");
    (is_long && is_one && names.len() > 1)
        .then(|| parts.iter().map(|(_, set)| set.map_or_else(|| "base".to_owned(), words)).collect())
}

/// A parameter with its start value and its current value.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct TunedSummary {
    /// The UCI option.
    pub name: String,
    /// The value at the start.
    pub from: f64,
    /// The current value, not rounded: the next pairs continue from it, even if the option is an integer.
    pub value: f64,
    /// The current value as sent to the engine.
    pub text: String,
    /// In 95% of runs a parameter without effect ends at most this far from its start value; 0 if steps are learned.
    pub by_chance: f64,
    /// What has been learned about the parameter, if steps are learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<LearnedParameter>,
    /// The smallest and the largest value; missing in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
}

impl TunedSummary {
    pub fn of_tuning(tuning: &Tuning) -> Vec<TunedSummary> {
        let spsa = tuning.spsa();
        let parameters = spsa.plan().parameters.iter().zip(spsa.parameters());
        let summary = parameters.map(|(parameter, tuned)| TunedSummary {
            name: parameter.name.clone(),
            from: parameter.value,
            value: tuned.value,
            text: parameter.text(parameter.nearest(tuned.value)),
            by_chance: tuned.by_chance,
            learned: tuned.learned,
            bounds: Some([parameter.min, parameter.max]),
        });
        summary.collect()
    }

    /// The values, clamped to the bounds of the option.
    pub fn within_bounds(&self, values: [f64; 2]) -> [f64; 2] {
        let [min, max] = self.bounds.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        values.map(|value| value.max(min).min(max))
    }

    pub fn change(&self) -> f64 {
        self.value - self.from
    }

    /// The change divided by the change that may be chance, without sign; 0 before the first change.
    pub fn strength(&self) -> f64 {
        let by_chance =
            self.learned.map_or(self.by_chance, |learned| (learned.likely[1] - learned.likely[0]) / 2.0);
        if by_chance > 0.0 { self.change().abs() / by_chance } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
