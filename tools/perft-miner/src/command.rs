//! The command: makes a perft suite of hard cases.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::case_miner::{CaseMiner, CaseRecipe};
use super::cover::cover;
use super::hard_suite::HardSuite;
use arbiter::cli::{Blame, CliError, CliResult, ExitCode, command_line, console};
use arbiter::files::NewFile;
use referee::Variant;

/// After how many games the display changes.
const GAMES_PER_TICK: u64 = 64;

/// How many lacking cases a message names.
const NAMED: usize = 6;

/// The arguments of `perft-miner`.
#[derive(Debug, Args)]
pub struct MineArgs {
    /// The EPD file to write; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Mine games of Chess960, for cases of castling
    #[arg(long)]
    chess960: bool,

    /// In how many positions each case is wanted
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,

    /// The greatest count of a line; depth 1 is counted always
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_nodes: u64,

    /// Give up after so many games
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    games: u64,

    /// What decides the games; the same seed makes the same suite
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl MineArgs {
    /// Makes the suite.
    ///
    /// # Errors
    /// The file cannot be written, or too few positions were found for some case.
    pub fn run(self) -> CliResult {
        let file = NewFile::reserve(&self.file).usage()?;
        let (suite, games) = self.make()?;
        file.finish(suite.render(&format!("perft-miner {}", command_line()[1..].join(" ")))).fault()?;
        console::note(&format!("{}: {} positions from {games} games", self.file.display(), suite.len()));
        Ok(ExitCode::Done)
    }

    fn recipe(&self) -> CaseRecipe {
        let variant = if self.chess960 { Variant::Chess960 } else { Variant::Standard };
        CaseRecipe { variant, times: self.times, seed: self.seed }
    }

    /// The suite, and how many games it took.
    fn make(&self) -> Result<(HardSuite, u64), CliError> {
        let mut miner = CaseMiner::new(self.recipe());
        let games = self.play(&mut miner).usage()?;
        let chosen = cover(miner.kept(), self.recipe().wanted(), self.times);
        let positions = chosen.iter().map(|index| &miner.kept()[*index]);
        let suite = HardSuite::count(self.recipe(), self.max_nodes, positions).fault()?;
        Ok((suite, games))
    }

    /// Plays until nothing is lacking; returns the number of games.
    fn play(&self, miner: &mut CaseMiner) -> anyhow::Result<u64> {
        let progress = ProgressBar::new_spinner();
        progress.set_style(ProgressStyle::with_template("  {msg}").expect("a template with one known key"));
        let mut games = 0;
        let lacking = loop {
            let lacking = miner.lacking();
            if lacking.is_empty() || games >= self.games {
                break lacking;
            }
            progress.set_message(format!("{games} games, {} cases lacking", lacking.len()));
            let batch = GAMES_PER_TICK.min(self.games - games);
            (0..batch).for_each(|_| miner.play_game());
            games += batch;
        };
        progress.finish_and_clear();
        if lacking.is_empty() {
            return Ok(games);
        }
        let named = lacking.iter().take(NAMED).map(|(case, count)| format!("{case} ({count})"));
        let more = if lacking.len() > NAMED { ", …" } else { "" };
        Err(anyhow!(
            "after {games} games {} cases occur in fewer than the {} positions to choose from: {}{more}; allow more with --games, or want fewer with --times",
            lacking.len(),
            self.recipe().supply(),
            named.collect::<Vec<_>>().join(", "),
        ))
    }
}
