//! `nnue`: Tarrasch's network and its training data, which are games of the engine against itself.
//!
//! # The commands
//! `nnue datagen` plays the games ([`datagen`]), `nnue import` takes those of matches ([`import()`]), `nnue train` trains a
//! network on them ([`train`]), `nnue info` shows their statistics ([`Info`]), `nnue export` writes their training
//! positions for other trainers ([`export()`]).
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
#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "only this program and its tests use the library"
)]

pub mod datagen;
mod export;
mod files;
mod game;
mod import;
mod info;
pub mod train;
pub mod viriformat;

pub use export::{ExportFormat, export};
pub use game::{Filter, Game, GameResult, ScoredMove, Turn, ply_of};
pub use import::{Imported, import};
pub use info::Info;
pub use viriformat::{GameReader, GamesError, read_games};

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chess::SplitMix;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use toml::{Table, Value};

/// Plays training games for Tarrasch's network, trains it, and exports the games for other trainers.
#[derive(Debug, Parser)]
#[command(name = "nnue", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games of Tarrasch against itself; to continue, repeat the command
    Datagen(datagen::DatagenArguments),
    /// Take the games of matches and tuning runs of Tarrasch as training games
    Import(import::ImportArguments),
    /// Train a network; to continue, repeat the command
    Train(train::TrainArguments),
    /// Show statistics of files of games
    Info(info::InfoArguments),
    /// Export the training positions of files of games
    Export(export::ExportArguments),
}

/// The exit codes of `arbiter`: wrong usage or input, and a fault of the disk or the system.
const USAGE: u8 = 2;
const FAULT: u8 = 5;

pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Datagen(arguments) => datagen::command(&arguments),
        Command::Import(arguments) => import::command(&arguments),
        Command::Train(arguments) => train::command(&arguments),
        Command::Info(arguments) => info::command(&arguments),
        Command::Export(arguments) => export::command(&arguments),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    let _ = writeln!(io::stderr(), "error: {error:#}");
    ExitCode::from(if error.is::<io::Error>() { FAULT } else { USAGE })
}

/// Prints a line, or several.
fn say(text: &str) -> Result<()> {
    writeln!(io::stdout(), "{text}").context("standard output")
}

/// A number from 0 to 1 on the command line.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn shuffle<T>(items: &mut [T], numbers: &mut SplitMix) {
    for end in (1..items.len()).rev() {
        let place = (u128::from(numbers.next()) * (end as u128 + 1)) >> 64;
        items.swap(end, place as usize);
    }
}

/// Compares the settings of a file with the current ones. The error names the first entry with different values, with its
/// tables in front; `event` says what happened with the settings of the file.
fn check_same(event: &str, found: &Table, ours: &Table) -> Result<()> {
    let Some((entry, found, ours)) = difference(found, ours) else { return Ok(()) };
    let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    bail!("{entry}: {event} with {}, and now it is {}", text(found), text(ours))
}

fn difference<'a>(
    found: &'a Table,
    ours: &'a Table,
) -> Option<(String, Option<&'a Value>, Option<&'a Value>)> {
    let extra = found.keys().filter(|key| !ours.contains_key(*key));
    ours.keys().chain(extra).find_map(|key| match (found.get(key), ours.get(key)) {
        (Some(Value::Table(found)), Some(Value::Table(ours))) => {
            difference(found, ours).map(|(inner, found, ours)| (format!("{key}.{inner}"), found, ours))
        }
        (found, ours) => (found != ours).then(|| (key.clone(), found, ours)),
    })
}

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// The progress display: a bar on a terminal; elsewhere a line every minute, on standard error.
#[derive(Debug)]
struct Progress {
    bar: Option<ProgressBar>,
    next_line: Instant,
}

impl Progress {
    fn new(done: u64, all: u64) -> Progress {
        let style = ProgressStyle::with_template("  {bar:24} {percent:>3}%  {msg}");
        let bar = io::stderr().is_terminal().then(|| {
            ProgressBar::new(all).with_style(style.expect("a template with known keys")).with_position(done)
        });
        Progress { bar, next_line: Instant::now() + BETWEEN_LINES }
    }

    fn show(&mut self, done: u64, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text());
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + BETWEEN_LINES;
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "  {}", text());
        }
    }

    /// Hides the bar while something is printed.
    fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_gets_everywhere() {
        let mut numbers = SplitMix::new(1);
        let mut places = [0; 4];
        for _ in 0..4000 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, &mut numbers);
            places[items.iter().position(|item| *item == 0).unwrap()] += 1;
        }
        // A thousand expected for each; the standard deviation is 27.
        assert!(places.iter().all(|count| (850..1150).contains(count)), "{places:?}");
    }
}
