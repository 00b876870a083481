//! What is told of a network that has been trained; `NET.toml` beside it has all of it.

use serde::Serialize;

use super::state::{Epoch, Recipe};

/// What a network was made from, and how good it is.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What it follows from.
    pub recipe: Recipe,
    /// What came of it.
    pub result: TrainingResult,
    /// The way there.
    pub epochs: Vec<Epoch>,
}

/// How good a network is. Losses are mean squares over the positions held out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TrainingResult {
    /// The positions held out.
    pub held_out_positions: usize,
    /// How much expectation a centipawn of the scores brings: the `K` of the targets.
    pub score_scale: f64,
    /// How many centipawns an output of 1 is.
    pub centipawns: f64,
    /// The loss of the network with fractions.
    pub fractions: f64,
    /// That of the network in whole numbers.
    pub whole_numbers: f64,
    /// That of the hand-written evaluation.
    pub hand_written: f64,
    /// How many centipawns whole numbers are away from fractions, in the mean.
    pub mean_rounding: f64,
    /// The same in the worst case.
    pub worst_rounding: f64,
}
