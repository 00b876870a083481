//! The settings of a training, and its command line.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{ArgAction, Args, value_parser};
use serde::{Deserialize, Serialize};
use tarrasch::nnue::{TILE, WIDEST};

use crate::game::Filter;
use crate::share;

/// The settings of a training. With the games and their order they determine the network.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Size of the hidden layer, a multiple of 64
    #[arg(long, value_name = "N", default_value_t = Settings::default().width, value_parser = width)]
    pub width: usize,

    /// Mirror the board if the king is on the files e to h
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = Settings::default().mirror)]
    pub mirror: bool,

    /// Epochs: how often each position is used
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs, value_parser = value_parser!(u32).range(1..))]
    pub epochs: u32,

    /// Batch size
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch, value_parser = RangedU64ValueParser::<usize>::new().range(1..=u32::MAX.into()))]
    pub batch: usize,

    /// Learning rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().learning_rate, value_parser = share)]
    pub learning_rate: f64,

    /// Learning rate of the last step; the schedule between is a cosine
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().final_learning_rate, value_parser = share)]
    pub final_learning_rate: f64,

    /// Weight of the result in the target, from 0 to 1; the score has the rest. Not with `--distil`
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().result_share, value_parser = share)]
    pub result_share: f64,

    /// Learn the hand-written evaluation, from N positions near each position of the games
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["result_share", "min_ply", "keeps_checks", "keeps_tactical"])]
    pub distil: u32,

    /// The fingerprint of the start network in hexadecimal, of several with spaces between; empty for random weights.
    #[arg(skip)]
    pub from: String,

    /// Seed of the weights, of the positions for imitation and of the order; the same seed gives the same network, with any
    /// number of threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    pub seed: u32,

    /// Which positions are for training.
    #[command(flatten)]
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

    #[command(flatten)]
    settings: Settings,

    /// Start with the weights of this checkpoint, which may be narrower, instead of random ones; of several, with their mean;
    /// may be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub from: Vec<PathBuf>,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,
}

impl TrainArguments {
    pub fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        if settings.distil > 0 {
            settings.result_share = 0.0;
        }
        settings
    }
}

fn width(text: &str) -> Result<usize, String> {
    let width =
        text.parse().ok().filter(|&width: &usize| width > 0 && width.is_multiple_of(TILE) && width <= WIDEST);
    width.ok_or_else(|| format!("expected a multiple of {TILE} up to {WIDEST}"))
}
