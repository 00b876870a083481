//! The report of a training, `NET.toml`.

use serde::Serialize;

use super::state::{Epoch, Recipe};

/// The settings and results of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The settings.
    pub recipe: Recipe,
    /// The result.
    pub result: TrainingResult,
    /// The losses by epoch.
    pub epochs: Vec<Epoch>,
}

/// The quality of a network. Losses are mean squared errors on the held-out positions.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TrainingResult {
    /// The number of held-out positions.
    pub held_out_positions: usize,
    /// `K` of the targets: the scale from centipawns to expected points.
    pub score_scale: f64,
    /// An output of 1 in centipawns.
    pub centipawns: f64,
    /// The loss before quantization.
    pub fractions: f64,
    /// The loss after quantization.
    pub whole_numbers: f64,
    /// The loss of the hand-written evaluation.
    pub hand_written: f64,
    /// The mean change by quantization, in centipawns.
    pub mean_rounding: f64,
    /// The largest change by quantization, in centipawns.
    pub worst_rounding: f64,
}
