//! `arbiter openings`: makes a suite of balanced openings.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;

use crate::cli::engines::{self, EngineSpec};
use crate::cli::error::{Blame, CliResult};
use crate::cli::{ExitCode, console, engine_sessions};
use crate::suites::{BalancedOpening, OpeningMaker, OpeningRecipe};

/// Attempts for each opening wanted before the recipe is given up as too strict.
const ATTEMPTS_PER_OPENING: usize = 50;

/// The arguments of `arbiter openings`.
#[derive(Debug, Args)]
pub struct OpeningsArgs {
    /// The engine that chooses the moves and judges the positions; give it one thread
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// The EPD file to write; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,

    /// Fewest and most plies
    #[arg(long, value_name = "MIN,MAX", value_parser = parse_plies, default_value = "8,16")]
    plies: (u32, u32),

    /// Nodes for the choice of each move
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    choice_nodes: u64,

    /// Draw each move from the engine's best so many
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    choices: u32,

    /// Draw only moves at most this much worse than the best, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 60)]
    tolerance: i32,

    /// Nodes for the verdict on a position
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    nodes: u64,

    /// Keep positions whose verdict is at most this far from 0, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 60)]
    balance: i32,

    /// What decides the draws; the same seed makes the same suite
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl OpeningsArgs {
    /// Makes the suite.
    pub fn run(self) -> CliResult {
        if self.file.exists() {
            let error =
                anyhow::anyhow!("{}: expected a new file, found one that exists", self.file.display());
            return Err(error).usage();
        }
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let mut session = engine_sessions::start(&engine).usage()?;
        let version = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        let mut maker = OpeningMaker::new(&mut session, self.recipe());
        let openings = self.make(&mut maker).fault()?;
        fs::write(&self.file, self.render(&version, &openings))
            .with_context(|| self.file.display().to_string())
            .fault()?;
        let _ = writeln!(io::stderr(), "  {}: {} openings", self.file.display(), openings.len());
        Ok(ExitCode::Done)
    }

    fn recipe(&self) -> OpeningRecipe {
        OpeningRecipe {
            plies: self.plies,
            choice_nodes: self.choice_nodes,
            choices: self.choices,
            tolerance: self.tolerance,
            verdict_nodes: self.nodes,
            balance: self.balance,
            seed: self.seed,
        }
    }

    fn make(&self, maker: &mut OpeningMaker<'_>) -> anyhow::Result<Vec<BalancedOpening>> {
        let progress = ProgressBar::new(self.count as u64);
        let mut openings = Vec::with_capacity(self.count);
        for _ in 0..self.count * ATTEMPTS_PER_OPENING {
            if openings.len() == self.count {
                break;
            }
            if let Some(opening) = maker.attempt()? {
                openings.push(opening);
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        if openings.len() < self.count {
            bail!(
                "only {} openings after {} attempts; be less strict",
                openings.len(),
                self.count * ATTEMPTS_PER_OPENING
            );
        }
        Ok(openings)
    }

    /// The file: how it was made, then a position a line with the verdict (`ce`) and the moves (`c0`).
    fn render(&self, engine: &str, openings: &[BalancedOpening]) -> String {
        let command: Vec<String> = env::args().skip(1).collect();
        let OpeningRecipe { plies: (fewest, most), verdict_nodes, balance, .. } = self.recipe();
        let header = [
            format!(
                "{} balanced openings of {fewest} to {most} plies, made by Arbiter {}:",
                openings.len(),
                env!("CARGO_PKG_VERSION")
            ),
            format!("arbiter {}", command.join(" ")),
            String::new(),
            "Each move was drawn from the engine's best. Each position was judged within".to_owned(),
            format!("{balance} centipawns of 0 by {engine} at {verdict_nodes} nodes."),
            "Operations: ce is that verdict for the side to move, c0 has the moves.".to_owned(),
        ];
        let header = header.iter().map(|line| format!("# {line}").trim_end().to_owned());
        let positions = openings.iter().map(|opening| {
            format!("{} ce {}; c0 \"{}\";", opening.fen, opening.verdict, opening.line.join(" "))
        });
        let lines: Vec<String> = header.chain([String::new()]).chain(positions).collect();
        lines.join("\n") + "\n"
    }
}

fn parse_plies(text: &str) -> Result<(u32, u32), String> {
    let plies = text
        .split_once(',')
        .and_then(|(min, max)| Some((min.trim().parse::<u32>().ok()?, max.trim().parse::<u32>().ok()?)));
    match plies {
        Some((min, max)) if min <= max => Ok((min, max)),
        _ => Err("expected two ascending numbers of plies, such as 8,16".to_owned()),
    }
}
