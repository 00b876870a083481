//! The command line.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{ArgAction, Args, Parser, Subcommand, value_parser};

use tarrasch::nnue::{Network, TILE, WIDEST};

use super::datagen::{Settings, Target};
use super::export::ExportFormat;
use super::filter::Filter;
use super::train;

/// Plays training games for Tarrasch's network, trains it, and exports the games for other trainers.
#[derive(Debug, Parser)]
#[command(name = "nnue", version)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games of Tarrasch against itself; to continue, repeat the command
    Datagen(DatagenArguments),
    /// Take the games of matches and tuning runs of Tarrasch as training games
    Import(ImportArguments),
    /// Train a network; to continue, repeat the command
    Train(TrainArguments),
    /// Show statistics of files of games
    Info(InfoArguments),
    /// Export the training positions of files of games
    Export(ExportArguments),
}

/// The arguments of `nnue datagen`.
#[derive(Debug, Args)]
pub struct DatagenArguments {
    /// The file of games; `FILE.toml` has the settings
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    #[command(flatten)]
    target: TargetArguments,

    /// Soft node limit for each move: the last iteration is finished, within ten times as many nodes
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.nodes, value_parser = value_parser!(u32).range(1..))]
    nodes: u32,

    /// Evaluate with this network instead of the one that ships
    #[arg(long, value_name = "NET")]
    network: Option<PathBuf>,

    /// Random plies before each game, every other time one more
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.random_plies, value_parser = value_parser!(u32).range(1..=100))]
    random_plies: u32,

    /// Seed of the openings; the same seed gives the same games, with any number of threads
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.seed)]
    seed: u32,

    /// Threads; each plays its own games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TargetArguments {
    /// Stop when the file has N games
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Stop when the file has N training positions, as `nnue info` counts them
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    positions: Option<u64>,
}

/// The arguments of `nnue import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Folders of runs that `arbiter` played
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// The file of games to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Only games of two players whose names begin with this
    #[arg(long, value_name = "NAME", default_value = "tarrasch")]
    pub players: String,
}

/// The arguments of `nnue train`.
#[derive(Debug, Args)]
pub struct TrainArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The network to write; it must not exist yet. Also writes `NET.checkpoint`, `NET.toml` and `NET.svg`
    #[arg(long, value_name = "NET")]
    pub out: PathBuf,

    /// Size of the hidden layer, a multiple of 64
    #[arg(long, value_name = "N", default_value_t = train::Settings::default().width, value_parser = width)]
    width: usize,

    /// Mirror the board if the king is on the files e to h
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = train::Settings::default().mirror)]
    mirror: bool,

    /// Epochs: how often each position is used
    #[arg(long, value_name = "N", default_value_t = train::Settings::default().epochs, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,

    /// Batch size
    #[arg(long, value_name = "N", default_value_t = train::Settings::default().batch as u32, value_parser = value_parser!(u32).range(1..))]
    batch: u32,

    /// Learning rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = train::Settings::default().learning_rate, value_parser = share)]
    learning_rate: f64,

    /// Learning rate of the last step
    #[arg(long, value_name = "RATE", default_value_t = train::Settings::default().final_learning_rate, value_parser = share)]
    final_learning_rate: f64,

    /// Weight of the result in the target, from 0 to 1; the score has the rest. Not with `--distil`
    #[arg(long, value_name = "SHARE", default_value_t = train::Settings::default().result_share, value_parser = share)]
    result_share: f64,

    /// Learn the hand-written evaluation, from N positions near each position of the games
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["result_share", "min_ply", "keep_checks", "keep_tactical"])]
    distil: u32,

    /// Start with the weights of this checkpoint instead of random ones; of several, with their mean; may be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub from: Vec<PathBuf>,

    /// Seed of the weights and of the order; the same seed gives the same network, with any number of threads
    #[arg(long, value_name = "N", default_value_t = train::Settings::default().seed)]
    seed: u32,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,

    /// Which positions are for training.
    #[command(flatten)]
    filter: FilterArguments,
}

/// The arguments of `nnue info`.
#[derive(Debug, Args)]
pub struct InfoArguments {
    /// Files of games, counted together
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Which positions are for training.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// The arguments of `nnue export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The format
    #[arg(long, value_name = "FORMAT")]
    pub to: ExportFormat,

    /// The file to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Which positions are for training.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Which positions are for training.
#[derive(Debug, Args)]
pub struct FilterArguments {
    /// Skip the first N plies of a game, opening included
    #[arg(long, value_name = "PLIES", default_value_t = Filter::default().min_ply)]
    min_ply: u32,

    /// Skip positions with at least this score, in centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    max_score: u16,

    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,

    /// Keep positions whose best move is a capture or promotion
    #[arg(long)]
    keep_tactical: bool,
}

impl DatagenArguments {
    /// How the games are played.
    ///
    /// # Errors
    /// The network cannot be read.
    pub fn settings(&self) -> Result<Settings> {
        let DatagenArguments { seed, nodes, random_plies, .. } = *self;
        let load = |path: &PathBuf| Network::load(path).with_context(|| path.display().to_string());
        let network = self.network.as_ref().map(load).transpose()?.map(Arc::new);
        Ok(Settings { seed, nodes, random_plies, network, ..Settings::DEFAULT })
    }

    /// The target of the run.
    pub fn target(&self) -> Target {
        match (self.target.games, self.target.positions) {
            (Some(games), _) => Target::Games(games),
            (None, positions) => Target::Positions(positions.unwrap_or_default()),
        }
    }
}

impl TrainArguments {
    /// How the network is trained.
    pub fn settings(&self) -> train::Settings {
        let TrainArguments { width, mirror, epochs, learning_rate, final_learning_rate, .. } = *self;
        let TrainArguments { distil, seed, .. } = *self;
        let result_share = if distil > 0 { 0.0 } else { self.result_share };
        let (batch, filter) = (self.batch as usize, self.filter.filter());
        train::Settings {
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

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl FilterArguments {
    /// The filter.
    pub fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            max_score: self.max_score,
            keeps_checks: self.keep_checks,
            keeps_tactical: self.keep_tactical,
        }
    }
}
