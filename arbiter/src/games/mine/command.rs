//! `arbiter games mine PGN… --engine E`: makes a tactics suite from games.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use runner::EngineConfig;

use super::mined_suite::{MinedGame, MinedSuite, MiningKind, MiningRecipe, MiningTask};
use super::miner::mine_game;
use super::mining_log::MiningLog;
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, command_line, console};
use crate::engines::{self, EngineSession, EngineSpec, by_number, in_parallel, session};
use crate::files::{file_record, write_whole};
use crate::games::finished_games::{self, FinishedGame};
use crate::text::number_text::counted;

/// The option that makes an engine report several lines.
const MULTI_PV: &str = "MultiPV";

/// Games between two progress notes if standard error is not a terminal.
const GAMES_PER_NOTE: usize = 20;

#[derive(Debug, Args)]
pub struct MineArgs {
    /// The games: PGN files, also as .gz, .zst, .bz2, .tar or .zip, and run folders
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// The engine that searches the positions: NAME, NAME@REV or a path, with :Option=value,…; use a strong one, with
    /// one thread
    #[arg(long, value_name = "ENGINE")]
    engine: EngineSpec,

    /// The new suite, an EPD file that must not exist yet; the ids of its positions start with the file name
    #[arg(long, value_name = "FILE", default_value = "mined.epd")]
    out: PathBuf,

    /// Kind of positions
    #[arg(long, value_enum, default_value_t = MiningKind::Tactical)]
    kind: MiningKind,

    /// Stop after N positions found
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,

    /// Nodes of the first search of every position, then of each search that confirms it
    #[arg(
        long, value_name = "N,N,…", value_delimiter = ',', default_value = "10000,100000,1000000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: Vec<u64>,

    /// A move wins if its score is at least CP centipawns
    #[arg(long, value_name = "CP", default_value_t = 200, value_parser = clap::value_parser!(i32).range(1..))]
    winning: i32,

    /// A move is equal if its score is at most CP centipawns from 0
    #[arg(long, value_name = "CP", default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..))]
    equal: i32,

    /// Skip positions where the players' own scores changed by less than CP centipawns (run folders only)
    #[arg(long, value_name = "CP", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    swing: i32,

    /// Maximum number of pieces in an endgame, kings and pawns included
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(3..=32))]
    endgame_pieces: u8,

    /// Number of engine processes; each searches one game at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
}

impl MineArgs {
    pub fn run(self) -> CliResult {
        if self.out.exists() {
            let error =
                anyhow!("--out {}: the file exists; choose another, or move it away", self.out.display());
            return Err(error).usage();
        }
        let recipe = self.recipe().usage()?;
        let games = finished_games::read(&self.sources).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let session = start(&engine).usage()?;
        let version = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
        let program = engine.sha256.as_deref();
        let games_sha256 = file_record::sha256_of_bytes(format!("{games:?}").as_bytes());
        let task = MiningTask {
            engine: &version,
            program,
            options: &options,
            recipe: &recipe,
            games: games.len(),
            games_sha256,
        };
        let line = serde_json::to_string(&task).fault()?;
        let (log, done) = MiningLog::open(&self.out, &line).usage()?;
        let mut mine = Mine { log, suite: MinedSuite::new(self.limit as usize), games: 0 };
        if !done.is_empty() {
            console::note(&format!("continuing after {} finished games", done.len()));
        }
        for game in done {
            mine.count(game);
        }
        if let Some(failure) = self.mine(&mut mine, &games, &recipe, &engine)? {
            console::note(&format!(
                "{failure}; the finished games are kept: run the same command again to continue"
            ));
            return Ok(ExitCode::EngineBroke);
        }
        let Mine { log, suite, games: needed } = mine;
        let name = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let command = command_line()[1..].join(" ");
        write_whole(&self.out, suite.text(&task, needed, &command, &name)).of_path()?;
        log.remove().fault()?;
        let found = counted(suite.positions.len() as u64, "position");
        console::note(&format!("{}: {found}", self.out.display()));
        console::note(&suite.tally_text());
        Ok(ExitCode::Done)
    }

    fn recipe(&self) -> anyhow::Result<MiningRecipe> {
        let (&scan_nodes, verify_nodes) = self.nodes.split_first().unwrap_or((&1, &[]));
        if verify_nodes.is_empty() || !self.nodes.is_sorted() {
            return Err(anyhow!(
                "--nodes: expected at least two ascending numbers, as in 10000,1000000: the first search finds, the \
                 others confirm"
            ));
        }
        if self.equal >= self.winning {
            return Err(anyhow!("--equal {}: expected less than --winning {}", self.equal, self.winning));
        }
        Ok(MiningRecipe {
            kind: self.kind,
            endgame_pieces: usize::from(self.endgame_pieces),
            winning: self.winning,
            equal: self.equal,
            swing: self.swing,
            scan_nodes,
            verify_nodes: verify_nodes.to_vec(),
        })
    }

    /// Searches the remaining games. Returns the engine's failure, if it failed.
    fn mine(
        &self,
        mine: &mut Mine,
        games: &[FinishedGame],
        recipe: &MiningRecipe,
        engine: &EngineConfig,
    ) -> Result<Option<String>, CliError> {
        if mine.suite.is_full() {
            return Ok(None);
        }
        let first = mine.games;
        let bar = ProgressBar::new(games.len() as u64).with_position(first as u64);
        let style = "  {bar:30} {pos} of {len} games, {msg} positions found, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).fault()?);
        let (mut failure, mut kept) = (None, Ok(()));
        let concurrency = usize::from(self.concurrency);
        let visit = |index: usize, mined: anyhow::Result<MinedGame>| {
            match mined {
                Ok(game) => {
                    kept = mine.log.add(&game);
                    mine.count(game);
                }
                Err(error) => {
                    failure = Some(CliError::Fault(error.context(games[index].title.clone())).message());
                }
            }
            let found = mine.suite.positions.len();
            bar.set_position(mine.games as u64);
            bar.set_message(found.to_string());
            if !io::stderr().is_terminal() && mine.games.is_multiple_of(GAMES_PER_NOTE) {
                console::note(&format!("{} of {} games, {found} positions found", mine.games, games.len()));
            }
            if failure.is_some() || kept.is_err() || mine.suite.is_full() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let is_over = AtomicBool::new(false);
        let work =
            |session: &mut EngineSession, index: usize| mine_game(session, &games[index], recipe, &is_over);
        let (tasks, visit) = (first..games.len(), by_number(first, visit));
        let started = in_parallel(tasks, concurrency, &is_over, || start(engine), work, visit);
        bar.finish_and_clear();
        kept.fault()?;
        started.usage()?;
        Ok(failure)
    }
}

/// The work done so far.
struct Mine {
    log: MiningLog,
    suite: MinedSuite,
    /// Number of games searched, from the first on.
    games: usize,
}

impl Mine {
    fn count(&mut self, game: MinedGame) {
        self.suite.add(game);
        self.games += 1;
    }
}

fn start(engine: &EngineConfig) -> anyhow::Result<EngineSession> {
    let mut session = session::start(engine)?;
    session.set_option(MULTI_PV, Some("2"))?;
    Ok(session)
}
