//! `arbiter positions PGN|DIR… --out FILE`: quiet positions of games, for fitting an evaluation.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::error::{Blame, CliResult};
use crate::cli::new_file::NewFile;
use crate::cli::{ExitCode, console, finished_games};
use crate::suites::{QuietCollector, QuietRecipe};

/// The arguments of `arbiter positions`.
#[derive(Debug, Args)]
pub struct PositionsArgs {
    /// PGN files, compressed or not, and run folders; only these know the scores of moves
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// The EPD file to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// At most so many positions of a game, drawn among those that are quiet
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,

    /// Leave out so many half-moves behind the opening of a run's game, or from the first move of a PGN game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    skip: u16,

    /// Only positions in which this player is to move; may be given several times
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<String>,

    /// Leave out positions whose player announced more, in centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = 2000, value_parser = clap::value_parser!(i32).range(1..))]
    max_score: i32,

    /// The same seed draws the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Stop when so many are found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

impl PositionsArgs {
    /// Writes the file.
    pub fn run(self) -> CliResult {
        let file = NewFile::reserve(&self.out).usage()?;
        let mut output = file.open().fault()?;
        let mut collector = QuietCollector::new(self.recipe());
        let mut written = write_header(&mut output);
        let players = finished_games::visit(&self.sources, |number, game| {
            for position in collector.collect(number, game)? {
                if written.is_ok() {
                    written = writeln!(output, "{position}");
                }
            }
            let has_enough = written.is_err() || collector.is_full();
            Ok(if has_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        let players = players.usage()?;
        written.fault()?;
        // Whoever stops early has not met all players.
        if !collector.is_full() {
            self.check_engines(&players).usage()?;
        }
        file.finish_opened(output).fault()?;
        let tally = collector.tally();
        console::note(&format!("{}: {} positions", self.out.display(), tally.kept));
        tally.to_string().lines().for_each(console::note);
        Ok(ExitCode::Done)
    }

    fn recipe(&self) -> QuietRecipe {
        QuietRecipe {
            per_game: self.per_game as usize,
            skip_plies: usize::from(self.skip),
            movers: self.engines.clone(),
            max_score: self.max_score,
            seed: self.seed,
            limit: self.limit.map_or(usize::MAX, |limit| limit as usize),
        }
    }

    /// Makes sure that whoever was asked for has played.
    fn check_engines(&self, players: &BTreeSet<String>) -> Result<()> {
        if let Some(stranger) = self.engines.iter().find(|engine| !players.contains(*engine)) {
            let players: Vec<&str> = players.iter().map(String::as_str).collect();
            bail!("--engine {stranger}: expected a player of the games: {}", players.join(", "));
        }
        Ok(())
    }
}

/// How the file was made and what is in it.
fn write_header(output: &mut impl Write) -> io::Result<()> {
    let command = env::args().skip(1).collect::<Vec<_>>().join(" ");
    writeln!(output, "# Quiet positions of games, written by Arbiter {}:", env!("CARGO_PKG_VERSION"))?;
    writeln!(output, "# arbiter {command}")?;
    writeln!(
        output,
        "# ce: what the player to move announced, in centipawns for that player; c9: how the game ended."
    )
}
