//! Perft suites of hard cases, mined from random play.
//!
//! [`RuleCase`] is the catalogue, [`cases_of`] finds the cases of a position, [`CaseMiner`] plays games until every case
//! occurs often enough, [`cover`] chooses few of their positions, and [`HardSuite`] counts and writes them.
#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "only this program and its tests use the library"
)]

mod case_miner;
mod case_set;
mod castling;
mod classifier;
mod hard_suite;
mod pieces;
mod rule_case;
mod start;

pub use case_miner::{CaseMiner, CaseRecipe, HardPosition};
pub use case_set::{CaseSet, cover};
pub use classifier::{Scene, cases_of};
pub use hard_suite::{HardSuite, HardSuiteError};
pub use rule_case::{CaseGroup, RuleCase};

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use arbiter::cli::{Blame, CliError, CliResult, ExitCode, command_line, console};
use arbiter::files::NewFile;
use referee::Variant;

const GAMES_PER_TICK: u64 = 64;

const NAMED: usize = 6;

#[derive(Debug, Args)]
pub struct MineArgs {
    /// The EPD file to write; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Mine games of Chess960, for cases of castling
    #[arg(long)]
    chess960: bool,

    /// Minimum number of positions for each case
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,

    /// Largest count of a line; depth 1 is always counted
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_nodes: u64,

    /// Give up after N games
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    games: u64,

    /// Seed of the games; the same seed makes the same suite
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl MineArgs {
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

    fn make(&self) -> Result<(HardSuite, u64), CliError> {
        let mut miner = CaseMiner::new(self.recipe());
        let games = self.play(&mut miner).usage()?;
        let chosen = cover(miner.kept(), self.recipe().wanted(), self.times);
        let positions = chosen.iter().map(|index| &miner.kept()[*index]);
        let suite = HardSuite::count(self.recipe(), self.max_nodes, positions).fault()?;
        Ok((suite, games))
    }

    /// Plays until no case is lacking. Returns the number of games.
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
