//! How many games, how many at once, and where they are kept.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};

use crate::cli::console;
use crate::options::{LimitArgs, machine};
use runner::process::ClockKind;
use runner::{CorePlan, EngineConfig, PositionForm, RunConfig, cores_per_game};

/// `--position`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PositionArg {
    /// The start position and all moves.
    Moves,
    /// The FEN after the last capture or pawn move, and the moves since: less to read for the engines.
    Fen,
}

/// The options under "Run".
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct PacingArgs {
    /// Games of each pairing; an even number, because each opening is played twice with colours reversed
    /// [default: 100; with --sprt until it decides]
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// Games played at the same time [default: as many as fit on the cores, by the engines' Threads and --ponder]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// Pin each game to cores of its own (Linux)
    #[arg(long)]
    affinity: bool,

    /// How the position is sent to the engines
    #[arg(long, value_enum, default_value_t = PositionArg::Moves)]
    position: PositionArg,

    /// Idle engines kept running for each concurrent game; fewer save memory, more save restarts
    #[arg(long, value_name = "N", default_value_t = RunConfig::DEFAULT_IDLE_ENGINES)]
    idle_engines: usize,

    /// Play although an engine lacks an option that it is to be given, and send it all the same
    #[arg(long)]
    allow_unknown: bool,

    /// Run folder; it must not exist [default: results/<date>-<engines>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    conclusion: ConclusionArgs,
}

impl PacingArgs {
    /// Whether engines may be given options that they do not have.
    pub const fn allow_unknown(&self) -> bool {
        self.allow_unknown
    }

    /// How many games each pair of engines plays; `default` when the user does not say.
    pub fn games(&self, default: u32) -> anyhow::Result<u32> {
        match self.games {
            None => Ok(default),
            Some(games) if games > 0 && games.is_multiple_of(2) => Ok(games),
            Some(games) => bail!(
                "--games {games}: expected an even number above 0, because each opening is played twice with colours reversed"
            ),
        }
    }

    /// How many games are played at once. One game keeps at most one engine busy at a time, or two when they ponder, so
    /// as many games fit as the cores have room for searches.
    pub fn concurrency(&self, engines: &[EngineConfig], limits: &LimitArgs) -> anyhow::Result<usize> {
        let per_game = cores_per_game(engines, limits.ponder());
        let wish = self.concurrency.map(usize::from);
        if self.affinity {
            let plan = CorePlan::new(per_game)?;
            let games = wish.unwrap_or_else(|| plan.games().max(1));
            plan.check(games)?;
            return Ok(games);
        }
        let room = (machine::cores() / per_game).max(1);
        if let Some(games) = wish.filter(|games| *games > room && limits.clock() == ClockKind::Wall) {
            console::note(&format!(
                "warning: {games} concurrent games keep {} threads busy, but there are {} cores; expect time losses at \
                 short time controls",
                games * per_game,
                machine::cores()
            ));
        }
        Ok(wish.unwrap_or(room))
    }

    /// How much at once the user wants, if he said so.
    pub fn wish(&self) -> Option<usize> {
        self.concurrency.map(usize::from)
    }

    /// Whether every game gets cores of its own.
    pub fn affinity(&self) -> bool {
        self.affinity
    }

    /// How engines are given the position.
    pub fn position(&self) -> PositionForm {
        match self.position {
            PositionArg::Moves => PositionForm::Moves,
            PositionArg::Fen => PositionForm::Fen,
        }
    }

    /// How many idle engines are kept for each game at once.
    pub fn idle_engines(&self) -> usize {
        self.idle_engines
    }

    /// The run folder that the user chose.
    pub fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// What happens when the run is over.
    pub fn conclusion(&self) -> ConclusionArgs {
        self.conclusion
    }
}

/// The options about the end of a run, the same for every command that plays one.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ConclusionArgs {
    /// Exit with code 4 if an engine crashes, stalls or plays an illegal move
    #[arg(long)]
    strict: bool,

    /// Do not write report.html; `arbiter report DIR` writes it later
    #[arg(long)]
    no_report: bool,
}

impl ConclusionArgs {
    /// Whether an engine that breaks decides the exit code.
    pub fn strict(self) -> bool {
        self.strict
    }

    /// Whether the page about the run is written.
    pub fn report(self) -> bool {
        !self.no_report
    }
}
