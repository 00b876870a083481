//! `arbiter match ENGINE ENGINE…`: engines play each other.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};

use crate::cli::books::{self, Wish};
use crate::cli::engines::{self, EngineSpec};
use crate::cli::error::{Blame, CliResult};
use crate::cli::limits::MoveLimitArgs;
use crate::cli::{console, machine, play};
use crate::referee::Variant;
use crate::runner::{
    Adjudication, BookOrder, DrawRule, EngineConfig, Patience, ResignRule, RunConfig, SearchLimits,
    TimeControl,
};
use crate::stats::{Sprt, SprtModel};

/// Games of a pairing when the user does not say.
const DEFAULT_GAMES: u32 = 100;

/// Games of a pairing when SPRT decides, which it does long before.
const DEFAULT_GAMES_OF_SPRT: u32 = 100_000;

/// The arguments of `arbiter match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…
    ///
    /// NAME is a manifest, engines/NAME/engine.toml, or a program on the search path. NAME@REV builds a git revision
    /// of the manifest's repository. The first engine is the one that results are about; more than two play a round
    /// robin.
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// Time control: seconds+increment, moves/seconds+increment, or minutes:seconds [default: 10+0.1]
    #[arg(
        long,
        value_name = "TC",
        conflicts_with = "movetime",
        allow_negative_numbers = true,
        help_heading = "Limits"
    )]
    tc: Option<TimeControl>,

    #[command(flatten)]
    limits: MoveLimitArgs,

    /// How far a clock may be overstepped before it is a time loss, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Limits")]
    margin: u64,

    /// Games of each pair of engines; even, since each opening is played with both colours
    /// [default: 100; with --sprt until it decides]
    #[arg(long, value_name = "N", help_heading = "Run")]
    games: Option<u32>,

    /// Games played at once [default: the number of cores, fewer for engines with several threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Run")]
    concurrency: Option<u16>,

    /// Stop when a sequential test decides between two Elo differences, such as 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true, help_heading = "Sequential test")]
    sprt: Option<(f64, f64)>,

    /// Accepting H1 by mistake this often
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_ALPHA, requires = "sprt", help_heading = "Sequential test")]
    alpha: f64,

    /// Accepting H0 by mistake this often
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_BETA, requires = "sprt", help_heading = "Sequential test")]
    beta: f64,

    /// What the Elo differences of --sprt mean
    #[arg(long, value_enum, default_value_t = ModelArg::Normalized, requires = "sprt", help_heading = "Sequential test")]
    model: ModelArg,

    /// Opening book: an EPD or PGN file, or one that ships
    #[arg(long, value_name = "FILE", default_value = books::DEFAULT, help_heading = "Openings")]
    openings: PathBuf,

    /// The order of the openings
    #[arg(long, value_enum, default_value_t = OrderArg::Random, help_heading = "Openings")]
    order: OrderArg,

    /// The seed of a random order [default: another one each time, recorded in run.toml]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64), help_heading = "Openings")]
    seed: Option<u64>,

    /// Cut PGN openings after this many plies
    #[arg(long, value_name = "N", help_heading = "Openings")]
    plies: Option<usize>,

    /// Play Chess960
    #[arg(long, help_heading = "Openings")]
    chess960: bool,

    /// Call a game a draw when from a move on both engines report little for a while: move=40,count=8,score=10
    #[arg(long, value_name = "RULE", help_heading = "Adjudication")]
    draw: Option<DrawRule>,

    /// Let an engine resign that reports itself lost for a while: count=3,score=600
    #[arg(long, value_name = "RULE", help_heading = "Adjudication")]
    resign: Option<ResignRule>,

    /// Call a game a draw after this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Adjudication")]
    max_moves: Option<u32>,

    /// The run folder; it must not exist yet [default: results/<date>-<engines>]
    #[arg(long, value_name = "DIR", help_heading = "Run")]
    out: Option<PathBuf>,

    /// Exit with 4 when an engine crashes, stalls, or plays an illegal move
    #[arg(long, help_heading = "Run")]
    strict: bool,
}

/// `--order`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderArg {
    /// Shuffled by the seed.
    Random,
    /// As in the file.
    Sequential,
}

/// `--model`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelArg {
    /// In units of the standard deviation of a game.
    Normalized,
    /// By the expected score.
    Logistic,
}

impl MatchArgs {
    /// Plays the match.
    pub fn run(self) -> CliResult {
        self.check_engine_count().usage()?;
        let limits = self.search_limits().usage()?;
        let sprt = self.sprt().usage()?;
        let games = self.games().usage()?;
        self.out.as_deref().map_or(Ok(()), play::check_out).usage()?;
        let variant = if self.chess960 { Variant::Chess960 } else { Variant::Standard };
        let book = books::configure(self.wish()).usage()?;
        let opened = books::load(&book, variant).usage()?;
        let mut engines = Vec::new();
        for spec in &self.engines {
            engines.push(engines::resolve(spec, &mut console::announce_build).usage()?);
        }
        engines::make_distinct(&mut engines);
        let mut config = RunConfig {
            games,
            concurrency: self.concurrency(&engines),
            variant,
            margin: Duration::from_millis(self.margin),
            start_attempts: RunConfig::DEFAULT_START_ATTEMPTS,
            patience: Patience::default(),
            limits,
            book,
            adjudication: Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves },
            sprt,
            engines,
            made: Some(machine::made_now()),
        };
        // An engine that does not start or lacks an option shows here, before the first game.
        let introductions = config.check_engines().usage()?;
        for (engine, introduction) in config.engines.iter_mut().zip(introductions) {
            engine.version = introduction.name;
        }
        play::start(&config, opened, self.out.as_deref(), self.strict)
    }

    /// Engines may stand between options, which a minimum of values in the parser would not allow.
    fn check_engine_count(&self) -> anyhow::Result<()> {
        match self.engines.len() {
            0 | 1 => bail!("ENGINE: expected at least two engines to play each other, found one"),
            _ => Ok(()),
        }
    }

    fn search_limits(&self) -> anyhow::Result<SearchLimits> {
        let mut limits = SearchLimits { clock: self.tc.clone(), ..self.limits.limits() };
        if limits == SearchLimits::default() {
            limits.clock = Some("10+0.1".parse()?);
        }
        limits.validate()?;
        Ok(limits)
    }

    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some((elo0, elo1)) = self.sprt else { return Ok(None) };
        if self.engines.len() != 2 {
            bail!("--sprt: expected two engines, found {}", self.engines.len());
        }
        let model = match self.model {
            ModelArg::Normalized => SprtModel::Normalized,
            ModelArg::Logistic => SprtModel::Logistic,
        };
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta, model).context("--sprt")?;
        Ok(Some(sprt))
    }

    fn games(&self) -> anyhow::Result<u32> {
        match self.games {
            None if self.sprt.is_some() => Ok(DEFAULT_GAMES_OF_SPRT),
            None => Ok(DEFAULT_GAMES),
            Some(games) if games > 0 && games.is_multiple_of(2) => Ok(games),
            Some(games) => Err(anyhow!(
                "--games {games}: expected an even number above zero, since each opening is played with both colours"
            )),
        }
    }

    fn wish(&self) -> Wish {
        Wish {
            path: self.openings.clone(),
            order: match self.order {
                OrderArg::Random => BookOrder::Random,
                OrderArg::Sequential => BookOrder::Sequential,
            },
            // A TOML integer has 63 bits.
            seed: self.seed.unwrap_or_else(|| rand::random::<u64>() >> 1),
            plies: self.plies,
        }
    }

    /// One game keeps at most one engine busy at a time, so as many games fit as the cores have room for searches.
    fn concurrency(&self, engines: &[EngineConfig]) -> usize {
        let threads = engines.iter().map(engines::threads).max().unwrap_or(1);
        self.concurrency.map_or_else(|| (machine::cores() / threads).max(1), usize::from)
    }
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?)));
    bounds.ok_or_else(|| "expected two Elo differences, such as 0,5".to_owned())
}
