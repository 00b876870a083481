//! Splits the games of a run by machine, and tests whether the machines differ by more than chance.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine_summary::Latency;
use super::engine_sums::EngineSums;
use referee::Side;
use runner::{GameRecord, Machine, Machines, RunConfig, Termination};
use stats::{EloEstimate, GroupComparison, Pentanomial, groups_with_excess};

/// A machine with enough games is slow if its NPS are below this share of the median machine's.
const SLOW: f64 = 0.75;
const LEAST_GAMES: u64 = 10;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct MachineSums {
    games: u64,
    /// Over all engines together.
    engines: EngineSums,
    /// The pairs that ended on this machine, without repeated ones.
    pairs: Pentanomial,
}

impl MachineSums {
    /// Counts a game, and the pair that it completes from the view of the engine listed first.
    pub(super) fn add(&mut self, game: &GameRecord, pair: Pentanomial) {
        self.engines.add(game, Side::White);
        self.engines.add(game, Side::Black);
        self.games += 1;
        self.pairs += pair;
    }
}

/// Compares the machines of a run.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct MachineComparison {
    /// χ² of the scores of the machines' pairs, in a match of two.
    pub chi_squared: f64,
    /// Degrees of freedom; 0 if fewer than two machines have enough pairs.
    pub degrees: u32,
    /// The probability of differences at least as large by chance.
    pub p_value: f64,
    /// The machines, in the order in which they joined.
    pub machines: Vec<MachineSummary>,
}

/// The games of a machine.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct MachineSummary {
    #[serde(flatten)]
    pub machine: Machine,
    /// Games with a result, and games cut short by the end of the run.
    pub games: u64,
    /// In a match of two, the Elo from the first engine's view, from completed pairs.
    pub elo: Option<EloEstimate>,
    /// Points minus the points expected at the mean of all machines, in standard errors; `None` if pairs are too few.
    pub residual: Option<f64>,
    /// NPS of all engines together.
    pub nodes_per_second: Option<u64>,
    pub time_losses: u64,
    /// Our time minus the engines' own.
    pub latency: Option<Latency>,
    /// How the machine differs from the others by more than chance.
    pub differs: Vec<MachineDifference>,
}

/// A way in which a machine differs from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineDifference {
    Score,
    /// More time losses.
    TimeLosses,
    /// Fewer nodes per second.
    NodesPerSecond,
}

impl MachineComparison {
    /// `None` if one machine played all games.
    pub(super) fn new(
        sums: &BTreeMap<u32, MachineSums>,
        known: &Machines,
        config: &RunConfig,
    ) -> Option<MachineComparison> {
        if sums.len() < 2 {
            return None;
        }
        let engines = config.engines.len();
        let pairs: Vec<Pentanomial> = sums.values().map(|sums| sums.pairs).collect();
        let scores = if engines == 2 { GroupComparison::new(&pairs) } else { GroupComparison::default() };
        let summary =
            |(index, (number, MachineSums { games, engines: all, pairs })): (_, (&u32, &MachineSums))| {
                let all = all.summary("", EloEstimate::new(&pairs.score()));
                MachineSummary {
                    machine: known.0.get(number).cloned().unwrap_or_default(),
                    games: *games,
                    elo: (engines == 2 && pairs.pairs() > 0).then_some(all.elo_vs_opponents),
                    residual: scores.residuals.get(index).copied().flatten(),
                    nodes_per_second: all.nodes_per_second,
                    time_losses: all.faults_of(Termination::TimeLoss),
                    latency: all.latency,
                    differs: Vec::new(),
                }
            };
        let mut machines: Vec<MachineSummary> = sums.iter().enumerate().map(summary).collect();
        let losses: Vec<_> = machines.iter().map(|machine| (machine.time_losses, machine.games)).collect();
        let found = [
            (MachineDifference::Score, scores.outliers.clone()),
            (MachineDifference::TimeLosses, groups_with_excess(&losses)),
            (MachineDifference::NodesPerSecond, if config.is_timed() { slow(&machines) } else { Vec::new() }),
        ];
        for (difference, outliers) in found {
            for machine in outliers {
                machines[machine].differs.push(difference);
            }
        }
        let (chi_squared, degrees, p_value) = (scores.chi_squared, scores.degrees, scores.p_value());
        Some(MachineComparison { chi_squared, degrees, p_value, machines })
    }
}

fn slow(machines: &[MachineSummary]) -> Vec<usize> {
    let nps = |machine: &MachineSummary| machine.nodes_per_second.filter(|_| machine.games >= LEAST_GAMES);
    let mut sorted: Vec<u64> = machines.iter().filter_map(nps).collect();
    sorted.sort_unstable();
    let bound = sorted.get(sorted.len() / 2).map_or(0.0, |&middle| SLOW * middle as f64);
    (0..machines.len())
        .filter(|&index| nps(&machines[index]).is_some_and(|nps| (nps as f64) < bound))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::results::test_games::{config, game, state_of};
    use referee::GameResult;

    /// A simulated match on eight machines. On machine 3 the first engine may lose for no reason or on time with these
    /// probabilities, and the speed differs.
    fn compared(seed: u64, biased: f64, losing: f64, speed: f64) -> MachineComparison {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let games = (0..1600).map(|index| {
            let (first, machine) = (index as usize % 2, index / 2 % 8);
            let is_other = machine == 3;
            let points = if is_other && rng.random_bool(biased) { 0 } else { rng.random_range(0..3) };
            let result = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
            let result = result[if first == 0 { points } else { 2 - points }];
            let mut game = GameRecord { machine, ..game(index, (first, 1 - first), Some(result)) };
            if rng.random_bool(if is_other { losing } else { 0.002 }) {
                (game.termination, game.offender) = (Termination::TimeLoss, Some(Side::White));
            }
            for played in &mut game.moves {
                let pace = rng.random_range(0.8..1.25) * if is_other { speed } else { 1.0 };
                (played.time, played.nodes) = (Duration::from_millis(100), Some((1e5 * pace) as u64));
            }
            game
        });
        let games: Vec<GameRecord> = games.collect();
        state_of(&config(&["new", "old"], false), games).summary().machines.unwrap()
    }

    #[test]
    fn planted_machines_are_named_in_nine_of_ten_runs_and_good_ones_in_few() {
        let named = |machine: usize, differences: &[MachineDifference], run: &MachineComparison| {
            run.machines[machine].differs == differences
        };
        let alarms = (0..40).filter(|&seed| {
            let run = compared(seed, 0.0, 0.002, 1.0);
            run.machines.iter().any(|machine| !machine.differs.is_empty())
        });
        assert!(alarms.count() < 4);
        let biased = |seed: &u64| named(3, &[MachineDifference::Score], &compared(*seed, 0.35, 0.002, 1.0));
        assert!((0..20).filter(biased).count() >= 18);
        let slow = [MachineDifference::TimeLosses, MachineDifference::NodesPerSecond];
        assert!((0..20).filter(|seed| named(3, &slow, &compared(*seed, 0.0, 0.05, 0.6))).count() >= 18);
    }
}
