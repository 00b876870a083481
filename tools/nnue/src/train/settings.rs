//! How a network is trained.

use serde::{Deserialize, Serialize};
use tarrasch::nnue::TILE;

use crate::filter::Filter;

/// The settings of a training. With the games and their order they determine the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// N, the size of the hidden layer, a multiple of 64.
    pub width: usize,
    /// Whether the board is mirrored if the king is on the files e to h.
    pub mirror: bool,
    /// The number of epochs.
    pub epochs: u32,
    /// The batch size.
    pub batch: usize,
    /// The learning rate of the first step.
    pub learning_rate: f64,
    /// The learning rate of the last step; the schedule between is a cosine.
    pub final_learning_rate: f64,
    /// The weight of the result in the target, from 0 to 1; the score has the rest.
    pub result_share: f64,
    /// For imitation, the positions made from each position of the games; 0 to train on the games.
    pub distil: u32,
    /// The fingerprint of the start network in hexadecimal, of several with spaces between; empty for random weights.
    pub from: String,
    /// The seed of the start weights, of the positions for imitation, and of the order.
    pub seed: u32,
    /// The filter of positions.
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

    /// The learning rate after this part of all steps, from 0 to 1 (Loshchilov and Hutter, "SGDR: stochastic
    /// gradient descent with warm restarts", 2017, without the restarts).
    pub fn rate_at(&self, done: f64) -> f64 {
        let share = f64::midpoint(1.0, (std::f64::consts::PI * done).cos());
        self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * share
    }
}
