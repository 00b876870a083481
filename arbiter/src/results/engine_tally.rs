//! What is counted for one engine while the games go on.

use std::collections::BTreeMap;
use std::time::Duration;

use super::latency_histogram::LatencyHistogram;
use super::summary::GameAverages;
use super::summary::{EngineSummary, Latency};
use referee::Side;
use runner::{GameRecord, MoveRecord, Termination};
use stats::{EloEstimate, Pentanomial, Wdl};

/// Sums over the games of one engine. All are whole numbers, so that the order of the games does not matter.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    wdl: Wdl,
    faults: BTreeMap<Termination, u64>,
    excused: u64,
    averages: GameAverages,
    latencies: LatencyHistogram,
}

impl EngineTally {
    /// Counts a game in which the engine played `side`. The moves of an abandoned game count too, its result does
    /// not; nor does that of a game that a sequential test did not wait for.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        game.scored_outcome(game.engine(side)).into_iter().for_each(|outcome| self.wdl.record(outcome));
        if game.offender == Some(side) && game.termination.is_fault() {
            *self.faults.entry(game.termination).or_default() += 1;
            self.excused += u64::from(game.excused);
        }
        let moves = || game.moves_of(side);
        self.averages.add(&GameAverages::of(moves()));
        for latency in moves().filter_map(MoveRecord::latency) {
            self.latencies.record(Duration::try_from(latency).unwrap_or_default());
        }
    }

    /// The summary, given the engine's name and all its completed pairs of games, seen by it.
    pub fn summary(&self, name: &str, pairs: &Pentanomial) -> EngineSummary {
        let score = if pairs.pairs() > 0 { pairs.score() } else { self.wdl.score() };
        EngineSummary {
            name: name.to_owned(),
            games: self.wdl.games(),
            wdl: self.wdl,
            points: self.wdl.points(),
            score: (self.wdl.games() > 0).then(|| self.wdl.points() / self.wdl.games() as f64),
            elo_vs_opponents: EloEstimate::new(&score),
            faults: self.faults.clone(),
            excused: self.excused,
            moves: self.averages.moves(),
            nodes: self.averages.nodes(),
            time: self.averages.time(),
            mean_depth: self.averages.mean_depth(),
            nodes_per_second: self.averages.nodes_per_second(),
            latency: self.latency(),
        }
    }

    fn latency(&self) -> Option<Latency> {
        let quantile = |share| self.latencies.quantile(share);
        Some(Latency { p50: quantile(0.5)?, p99: quantile(0.99)?, max: self.latencies.max()? })
    }
}
