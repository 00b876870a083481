//! Sums over the games and moves of one engine.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

use super::engine_summary::{EngineSummary, Latency};
use referee::Side;
use runner::{GameRecord, MoveRecord, Termination};
use stats::{EloEstimate, Wdl};

/// Sums over the games of one engine. All are integers, so the order of the games does not matter.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct EngineSums {
    /// Results with White, then with Black.
    pub(super) by_colour: [Wdl; 2],
    faults: BTreeMap<Termination, u64>,
    excused: u64,
    averages: GameAverages,
    latencies: LatencyHistogram,
}

impl EngineSums {
    /// Counts a game in which the engine played `side`. The moves of an abandoned game count, but its result does not;
    /// nor does the result of a game that ended after the sequential test had decided.
    pub(super) fn add(&mut self, game: &GameRecord, side: Side) {
        let of_colour = &mut self.by_colour[usize::from(side == Side::Black)];
        game.scored_outcome(game.engine(side)).into_iter().for_each(|outcome| of_colour.record(outcome));
        if game.offender == Some(side) && game.termination.is_fault() {
            *self.faults.entry(game.termination).or_default() += 1;
            self.excused += u64::from(game.excused);
        }
        let moves = || game.moves_of(side);
        self.averages.add(moves());
        for latency in moves().filter_map(MoveRecord::latency) {
            self.latencies.record(Duration::try_from(latency).unwrap_or_default());
        }
    }

    pub(super) fn summary(&self, name: &str, elo_vs_opponents: EloEstimate) -> EngineSummary {
        let wdl = self.wdl();
        EngineSummary {
            name: name.to_owned(),
            games: wdl.games(),
            wdl,
            points: wdl.points(),
            score: (wdl.games() > 0).then(|| wdl.points() / wdl.games() as f64),
            elo_vs_opponents,
            faults: self.faults.clone(),
            excused: self.excused,
            moves: self.averages.moves,
            nodes: self.averages.nodes,
            time: self.averages.time,
            mean_depth: self.averages.mean_depth(),
            nodes_per_second: self.averages.nodes_per_second(),
            latency: self.latency(),
            time_share: None,
            doubts: Vec::new(),
        }
    }

    pub(super) fn wdl(&self) -> Wdl {
        self.by_colour[0] + self.by_colour[1]
    }

    fn latency(&self) -> Option<Latency> {
        let quantile = |share| self.latencies.quantile(share);
        Some(Latency { p50: quantile(0.5)?, p99: quantile(0.99)?, max: self.latencies.max })
    }
}

/// Classes per power of two in microseconds, so that a quantile is off by less than 1%.
const CLASSES_PER_DOUBLING: u64 = 128;

/// Counts latencies in classes less than 1% wide, and exact below 256 µs.
///
/// A run of a hundred thousand games has millions of moves, but this stores only a few hundred numbers, and the order of
/// the moves does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LatencyHistogram {
    counts: BTreeMap<u64, u64>,
    total: u64,
    max: Duration,
}

impl LatencyHistogram {
    fn record(&mut self, latency: Duration) {
        *self.counts.entry(class_of(latency)).or_default() += 1;
        self.total += 1;
        self.max = self.max.max(latency);
    }

    /// The latency that a share of `quantile` (from 0 to 1) of the moves does not exceed. `None` if none was recorded.
    fn quantile(&self, quantile: f64) -> Option<Duration> {
        let rank = ((self.total as f64 * quantile).ceil() as u64).clamp(1, self.total.max(1));
        let mut seen = 0;
        for (&class, &count) in &self.counts {
            seen += count;
            if seen >= rank {
                return Some(upper_end(class).min(self.max));
            }
        }
        None
    }
}

/// The class of a latency: below twice `CLASSES_PER_DOUBLING` the number of microseconds itself; above, its leading eight
/// bits and the number of bits cut off.
fn class_of(latency: Duration) -> u64 {
    let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
    let cut = u64::from((micros / (2 * CLASSES_PER_DOUBLING)).checked_ilog2().map_or(0, |log| log + 1));
    cut * CLASSES_PER_DOUBLING + (micros >> cut)
}

fn upper_end(class: u64) -> Duration {
    let cut = (class / CLASSES_PER_DOUBLING).saturating_sub(1);
    let lead = u128::from(class - cut * CLASSES_PER_DOUBLING);
    let micros = ((lead + 1) << cut) - 1;
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// Sums over moves. Values that an engine does not report are left out of means, not counted as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameAverages {
    pub moves: u64,
    pub time: Duration,
    pub nodes: u64,
    /// The nodes of moves whose search time is known, and the time of these moves.
    nodes_with_time: u64,
    time_with_nodes: Duration,
    depths: u64,
    moves_with_depth: u64,
}

impl GameAverages {
    pub fn of<'a>(moves: impl IntoIterator<Item = &'a MoveRecord>) -> GameAverages {
        let mut sums = GameAverages::default();
        sums.add(moves);
        sums
    }

    pub fn add<'a>(&mut self, moves: impl IntoIterator<Item = &'a MoveRecord>) {
        for played in moves {
            self.moves += 1;
            self.time += played.time;
            // Numbers from files may be arbitrarily large.
            self.nodes = self.nodes.saturating_add(played.nodes.unwrap_or(0));
            // A search that began on the opponent's time took longer than the engine's clock shows. Moves of a PGN file
            // without times say nothing about speed.
            if let Some(nodes) = played.nodes.filter(|_| !played.pondered && !played.time.is_zero()) {
                self.nodes_with_time = self.nodes_with_time.saturating_add(nodes);
                self.time_with_nodes += played.time;
            }
            if let Some(depth) = played.depth {
                self.depths += u64::from(depth);
                self.moves_with_depth += 1;
            }
        }
    }

    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves_with_depth > 0).then(|| self.depths as f64 / self.moves_with_depth as f64)
    }

    /// All nodes divided by the time of their moves on our clock, without moves that were pondered; `None` if no nodes
    /// were reported.
    pub fn nodes_per_second(&self) -> Option<u64> {
        let seconds = self.time_with_nodes.as_secs_f64();
        (self.nodes_with_time > 0 && seconds > 0.0).then(|| (self.nodes_with_time as f64 / seconds) as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quantiles_are_of_what_was_recorded() {
        assert_eq!(LatencyHistogram::default().quantile(0.99), None);
        let mut histogram = LatencyHistogram::default();
        for _ in 0..99 {
            histogram.record(Duration::from_micros(200));
        }
        histogram.record(Duration::from_secs(1));
        assert_eq!(histogram.quantile(0.99), Some(Duration::from_micros(200)));
        assert_eq!(histogram.quantile(1.0), Some(Duration::from_secs(1)));
    }

    proptest! {
        #[test]
        fn a_class_is_less_than_one_percent_wide(micros in prop_oneof![0_u64..5000, any::<u64>()]) {
            let upper = upper_end(class_of(Duration::from_micros(micros))).as_micros() as u64;
            prop_assert!(upper >= micros);
            prop_assert!((upper - micros) as f64 <= 0.01 * micros as f64, "{micros} µs counts as {upper} µs");
        }
    }
}
