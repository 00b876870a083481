//! Sums over the games of a run.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::engine_sums::EngineSums;
use super::limit_use::LimitUse;
use super::machines::MachineSums;
use referee::Side;
use runner::{GameRecord, RunConfig, Termination};
use stats::Pentanomial;

/// Sums over games, in any order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RunSums {
    pub(super) engines: Vec<EngineSums>,
    /// How each engine kept its limits.
    pub(super) limits: Vec<LimitUse>,
    pub(super) machines: BTreeMap<u32, MachineSums>,
    pub(super) terminations: BTreeMap<Termination, u64>,
    pub(super) warnings: u64,
    pub(super) first_start: Option<Timestamp>,
    pub(super) last_end: Option<Timestamp>,
}

impl RunSums {
    pub(super) fn of_engines(engines: usize) -> RunSums {
        RunSums {
            engines: vec![EngineSums::default(); engines],
            limits: vec![LimitUse::default(); engines],
            ..RunSums::default()
        }
    }

    pub(super) fn add(&mut self, game: &GameRecord, pair: Pentanomial, config: &RunConfig) {
        self.machines.entry(game.machine).or_default().add(game, pair);
        for side in [Side::White, Side::Black] {
            let engine = game.engine(side);
            self.engines[engine].add(game, side);
            self.limits[engine].add_game(game, side, config.limits_of(engine));
        }
        *self.terminations.entry(game.termination).or_default() += 1;
        self.warnings += game.warnings.len() as u64;
        self.first_start = Some(self.first_start.map_or(game.started, |first| first.min(game.started)));
        self.last_end = self.last_end.max(Some(game.ended()));
    }
}
