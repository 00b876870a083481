//! `nnue`: Tarrasch's network and its training data, which are games of the engine against itself.
//!
//! # The commands
//! `nnue datagen` plays the games ([`datagen`]), `nnue import` takes those of matches ([`import`]), `nnue train` trains a
//! network on them ([`train`]), `nnue info` shows their statistics ([`Info`]), `nnue export` writes their training
//! positions for other trainers ([`export`]).
//!
//! # The data
//! A file of games is in viriformat ([`viriformat`]): a start position, each move with its score, the result. `FILE.toml`
//! has the engine and the settings ([`datagen::Header`]). [`read_games`] reads the games in order, [`Game::turns`] lists the
//! positions of a game, and [`Filter`] chooses those for training. The file has all positions; the filter applies when it is
//! read.
//!
//! # Units
//! Scores are centipawns of Tarrasch's evaluation, for White, from -32,000 to 32,000; mates lie at the ends of the
//! range. A ply is a move of one side, counted from the initial position, so that the first one is ply 0.

mod arguments;
pub mod bulletformat;
pub mod datagen;
mod difference;
mod export;
mod filter;
mod game;
mod game_reader;
mod import;
mod info;
mod new_file;
mod number_text;
pub mod train;
pub mod viriformat;

pub use export::{ExportFormat, export};
pub use filter::Filter;
pub use game::{Game, GameResult, ScoredMove, Turn, ply_of};
pub use game_reader::{GameReader, GamesError, read_games};
pub use import::{Imported, import};
pub use info::Info;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use self::arguments::{Arguments, Command, ExportArguments, ImportArguments, InfoArguments};
use self::new_file::NewFile;

/// The exit codes of `arbiter`: wrong usage or input, and a fault of the disk or the system.
const USAGE: u8 = 2;
const FAULT: u8 = 5;

/// The program.
pub fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", tune::error_text(&error));
            ExitCode::from(if error.is::<io::Error>() { FAULT } else { USAGE })
        }
    }
}

fn run(command: &Command) -> Result<()> {
    match command {
        Command::Datagen(arguments) => datagen::command(arguments),
        Command::Import(arguments) => write_import(arguments),
        Command::Train(arguments) => train::command(arguments),
        Command::Info(arguments) => print_info(arguments),
        Command::Export(arguments) => write_export(arguments),
    }
}

fn print_info(arguments: &InfoArguments) -> Result<()> {
    let mut info = Info::default();
    for file in &arguments.files {
        info.add_file(file, arguments.filter.filter())?;
    }
    write!(io::stdout(), "{}", info.finish()).context("standard output")
}

fn write_import(arguments: &ImportArguments) -> Result<()> {
    let ImportArguments { runs, out, players } = arguments;
    let mut output = NewFile::reserve(out)?;
    let mut all = Imported::default();
    for run in runs {
        all += import(run, players, output.writer())?;
    }
    let Imported { games, left_out } = all;
    ensure!(games > 0, "expected games of players whose names begin with {players:?}, found none");
    output.finish().with_context(|| out.display().to_string())?;
    let (games, left_out) = (number_text::grouped(games), number_text::grouped(left_out));
    writeln!(io::stdout(), "{}: {games} games; {left_out} left out", out.display()).context("standard output")
}

fn write_export(arguments: &ExportArguments) -> Result<()> {
    let mut output = NewFile::reserve(&arguments.out)?;
    let mut positions = 0;
    for file in &arguments.files {
        positions += export(file, arguments.filter.filter(), arguments.to, output.writer())?;
    }
    output.finish().with_context(|| arguments.out.display().to_string())?;
    writeln!(io::stdout(), "{}: {} positions", arguments.out.display(), number_text::grouped(positions))
        .context("standard output")
}
