//! The settings of a training, and its command line.

use std::path::PathBuf;

use clap::{ArgAction, Args, value_parser};
use serde::{Deserialize, Serialize};
use tarrasch::nnue::{TILE, WIDEST};

use crate::game::{Filter, FilterArguments};
use crate::share;

/// The settings of a training. With the games and their order they determine the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// N, the size of the hidden layer, a multiple of 64.
    pub width: usize,
    /// Whether the board is mirrored if the king is on the files e to h.
    pub mirror: bool,
    pub epochs: u32,
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

#[derive(Debug, Args)]
pub struct TrainArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The network to write; it must not exist yet. Also writes `NET.checkpoint`, `NET.toml` and `NET.svg`
    #[arg(long, value_name = "NET")]
    pub out: PathBuf,

    /// Size of the hidden layer, a multiple of 64
    #[arg(long, value_name = "N", default_value_t = Settings::default().width, value_parser = width)]
    width: usize,

    /// Mirror the board if the king is on the files e to h
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = Settings::default().mirror)]
    mirror: bool,

    /// Epochs: how often each position is used
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,

    /// Batch size
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch as u32, value_parser = value_parser!(u32).range(1..))]
    batch: u32,

    /// Learning rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().learning_rate, value_parser = share)]
    learning_rate: f64,

    /// Learning rate of the last step
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().final_learning_rate, value_parser = share)]
    final_learning_rate: f64,

    /// Weight of the result in the target, from 0 to 1; the score has the rest. Not with `--distil`
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().result_share, value_parser = share)]
    result_share: f64,

    /// Learn the hand-written evaluation, from N positions near each position of the games
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["result_share", "min_ply", "keep_checks", "keep_tactical"])]
    distil: u32,

    /// Start with the weights of this checkpoint, which may be narrower, instead of random ones; of several, with their mean;
    /// may be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub from: Vec<PathBuf>,

    /// Seed of the weights and of the order; the same seed gives the same network, with any number of threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u32,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,

    /// Which positions are for training.
    #[command(flatten)]
    filter: FilterArguments,
}

impl TrainArguments {
    pub fn settings(&self) -> Settings {
        let TrainArguments { width, mirror, epochs, learning_rate, final_learning_rate, .. } = *self;
        let TrainArguments { distil, seed, .. } = *self;
        let result_share = if distil > 0 { 0.0 } else { self.result_share };
        let (batch, filter) = (self.batch as usize, self.filter.filter());
        Settings {
            width,
            mirror,
            epochs,
            batch,
            learning_rate,
            final_learning_rate,
            result_share,
            distil,
            from: String::new(),
            seed,
            filter,
        }
    }
}

fn width(text: &str) -> Result<usize, String> {
    let width =
        text.parse().ok().filter(|&width: &usize| width > 0 && width.is_multiple_of(TILE) && width <= WIDEST);
    width.ok_or_else(|| format!("expected a multiple of {TILE} up to {WIDEST}"))
}
