//! What is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};

use super::datagen::{Settings, Target};
use super::export::ExportFormat;
use super::filter::Filter;

/// Makes the training data of Tarrasch's network, counts it, and writes it for other trainers.
#[derive(Debug, Parser)]
#[command(name = "nnue", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games of Tarrasch against itself; the same command goes on with a file that it was stopped at
    Datagen(DatagenArguments),
    /// Count what is in files of games
    Info(InfoArguments),
    /// Write the training positions of files of games in another format
    Export(ExportArguments),
}

/// The arguments of `nnue datagen`.
#[derive(Debug, Args)]
pub struct DatagenArguments {
    /// The file of games; `FILE.toml` beside it says how they were made
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    #[command(flatten)]
    target: TargetArguments,

    /// Nodes for each move; the iteration in which they run out is finished, within ten times as many
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.nodes, value_parser = value_parser!(u32).range(1..))]
    nodes: u32,

    /// Random plies before each game, every other time one more
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.random_plies, value_parser = value_parser!(u32).range(1..=100))]
    random_plies: u32,

    /// Decides the openings; the same seed gives the same games, whatever the number of threads
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.seed)]
    seed: u32,

    /// Threads, each with a game of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TargetArguments {
    /// Stop when the file has so many games
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Stop when the file has so many training positions, as `nnue info` counts them
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
}

/// The arguments of `nnue info`.
#[derive(Debug, Args)]
pub struct InfoArguments {
    /// Files of games, counted as one
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
    /// Leave out the first plies of a game, those of the opening included
    #[arg(long, value_name = "PLIES", default_value_t = Filter::default().min_ply)]
    min_ply: u32,

    /// Leave out positions with this score or more, in centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    max_score: u16,

    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,

    /// Keep positions whose best move captures or promotes
    #[arg(long)]
    keep_tactical: bool,
}

impl DatagenArguments {
    /// How the games are played.
    pub fn settings(&self) -> Settings {
        let DatagenArguments { seed, nodes, random_plies, .. } = *self;
        Settings { seed, nodes, random_plies, ..Settings::DEFAULT }
    }

    /// When there is enough.
    pub fn target(&self) -> Target {
        match (self.target.games, self.target.positions) {
            (Some(games), _) => Target::Games(games),
            (None, positions) => Target::Positions(positions.unwrap_or_default()),
        }
    }
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
