//! How a network is trained.

use serde::{Deserialize, Serialize};
use tarrasch::nnue::TILE;

use crate::filter::Filter;

/// All that decides a network but the games and their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The numbers in an accumulator: N, a multiple of 64.
    pub width: usize,
    /// Whether a side sees the board mirrored when its king is on the files e to h.
    pub mirror: bool,
    /// How often each position is learnt from.
    pub epochs: u32,
    /// The positions of a step.
    pub batch: usize,
    /// How far a weight moves in a step, at first.
    pub learning_rate: f64,
    /// The same in the last step; between the two lies half a cosine.
    pub final_learning_rate: f64,
    /// How much the result counts in the target, from 0 to 1; the score counts for the rest.
    pub result_share: f64,
    /// The positions near each position of the games that the hand-written evaluation scores; 0 to learn from the
    /// scores and the results of the games.
    pub distil: u32,
    /// The network that the training begins with, as a number that another one does not have, in hexadecimal digits;
    /// empty for random weights.
    pub from: String,
    /// Decides the first weights, the positions near those of games, and the order.
    pub seed: u32,
    /// Which positions are used.
    pub filter: Filter,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            width: 256,
            mirror: true,
            epochs: 25,
            batch: 16_384,
            learning_rate: 0.001,
            final_learning_rate: 0.000_01,
            result_share: 0.3,
            distil: 0,
            from: String::new(),
            seed: 1,
            filter: Filter::default(),
        }
    }
}

impl Settings {
    /// The tiles of an accumulator.
    pub fn tiles(&self) -> usize {
        self.width / TILE
    }

    /// How far a weight moves when this part of all steps is done, from 0 to 1 (Loshchilov and Hutter, "SGDR: stochastic
    /// gradient descent with warm restarts", 2017, without the restarts).
    pub fn rate_at(&self, done: f64) -> f64 {
        let share = f64::midpoint(1.0, (std::f64::consts::PI * done).cos());
        self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * share
    }
}
