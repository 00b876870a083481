//! `arbiter bisect NAME --good REV --bad REV --by …`: which commit broke it?

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::bisect_state::BisectState;
use super::search::search;
use crate::bisect::criterion::{
    Criterion, MatchCriterion, PerftCriterion, SolvingCriterion, SpeedCriterion, Yardstick,
};
use crate::cli::{Blame, CliResult, console};
use crate::engines;
use crate::engines::{Commit, Manifest, Repository};
use crate::files::{new_folder, state_file};
use crate::matches::args::PlayingArgs;
use crate::matches::books;
use runner::{EngineConfig, RunConfig, SearchLimits, UciSetting};
use stats::{Sprt, SprtModel};

/// The time for a tactical position when the user gives no limit.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

/// The bounds of the sequential test when the user gives none, in normalized Elo: no regression against a clear one.
const DEFAULT_BOUNDS: (f64, f64) = (-10.0, 0.0);

/// The arguments of `arbiter bisect`.
#[derive(Debug, Args)]
pub struct BisectArgs {
    /// The engine: a manifest whose `repo` has the commits
    #[arg(value_name = "NAME")]
    engine: String,

    /// A revision that is as it should be
    #[arg(long, value_name = "REV")]
    good: String,

    /// A later revision that is not
    #[arg(long, value_name = "REV")]
    bad: String,

    /// What decides: bad is what counts moves wrong, loses solutions, is slower, searches other nodes in its bench, or
    /// is weaker than the good one
    #[arg(long, value_enum, value_name = "CRITERION")]
    by: By,

    /// A suite of positions for perft, tactics or speed: a file, or one that ships; all that ship when none is given
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// With --by speed, bad is what is slower than the good one by more than this
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = parse_percent)]
    slower: f64,

    /// With --by speed, go through the positions so often; where the result leaves it open, twice and four times so
    /// often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// With --by perft, --depth is the greatest depth; with the others, the limits of a search
    #[command(flatten)]
    playing: PlayingArgs,
}

/// `--by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// A count of the suite is wrong.
    Perft,
    /// A required position is missed, or more are lost than chance explains.
    Tactics,
    /// It searches fewer nodes a second than the good one.
    Speed,
    /// `PROGRAM bench` searches another number of nodes than that of the good one.
    Bench,
    /// A sequential test against the good one accepts H0.
    Match,
}

impl BisectArgs {
    /// Searches.
    pub fn run(self) -> CliResult {
        state_file::check_out(self.playing.pacing.out(), BisectState::FILE).usage()?;
        let (manifest, repository) = engines::versioned(&self.engine).usage()?;
        let (good, commits) = self.line(&repository).usage()?;
        let criterion = self.criterion(&manifest).usage()?;
        let folder = match self.playing.pacing.out() {
            Some(folder) => folder.to_owned(),
            None => new_folder::below_results(&format!("bisect-{}-{}", self.engine, criterion.name())),
        };
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).fault()?;
        let state = BisectState {
            schema: BisectState::SCHEMA,
            command: env::args().collect(),
            engine: self.engine,
            good,
            criterion,
            yardstick: Yardstick::default(),
            commits,
            tests: Vec::new(),
        };
        state.write(&folder).fault()?;
        console::note(&format!(
            "commits after the good one: {}, about {} to test between the ends; state in {}",
            state.commits.len(),
            (state.commits.len() as f64).log2().ceil(),
            folder.display()
        ));
        search(&folder, state)
    }

    /// The good commit, and those after it up to the bad one.
    fn line(&self, repository: &Repository) -> Result<(Commit, Vec<Commit>)> {
        let good = repository.commit(&self.good).context("--good")?;
        let bad = repository.commit(&self.bad).context("--bad")?;
        if good == bad {
            bail!(
                "--good {} and --bad {}: expected two commits, found {} twice",
                self.good,
                self.bad,
                good.hash
            );
        }
        if !repository.is_ancestor(&good, &bad)? {
            let hint = if repository.is_ancestor(&bad, &good)? { "; it is the other way round" } else { "" };
            bail!(
                "--good {}: expected a commit before --bad {}, found none of its ancestors{hint}",
                self.good,
                self.bad
            );
        }
        let commits = repository.first_parents(&good, &bad)?;
        Ok((good, commits))
    }

    fn criterion(&self, manifest: &Manifest) -> Result<Criterion> {
        if self.playing.limits.has_clock() && self.by != By::Match {
            bail!("--tc: expected --by match, found --by {}", self.by.name());
        }
        if !self.suite.is_empty() && matches!(self.by, By::Bench | By::Match) {
            bail!("--suite: expected --by perft, tactics or speed, found --by {}", self.by.name());
        }
        let limits = self.playing.limits.per_move();
        Ok(match self.by {
            By::Perft => Criterion::Perft(PerftCriterion { suites: self.suite.clone(), depth: limits.depth }),
            By::Tactics => {
                let is_open = limits == SearchLimits::default();
                let movetime = if is_open { Some(DEFAULT_MOVETIME) } else { limits.movetime };
                let concurrency = self.playing.pacing.wish().unwrap_or(1);
                let limits = SearchLimits { movetime, ..limits };
                Criterion::Tactics(SolvingCriterion { suites: self.suite.clone(), concurrency, limits })
            }
            By::Speed => Criterion::Speed(SpeedCriterion {
                suites: self.suite.clone(),
                rounds: self.rounds,
                slower: self.slower,
                limits,
            }),
            By::Bench => Criterion::Bench,
            By::Match => Criterion::Match(MatchCriterion { run: Box::new(self.run_config(manifest)?) }),
        })
    }

    /// The run of a match with the good build, without engines.
    fn run_config(&self, manifest: &Manifest) -> Result<RunConfig> {
        // Its options are those of every version.
        let setting = |(name, value)| UciSetting { name, value: Some(value) };
        let engine =
            EngineConfig { options: manifest.options().map(setting).collect(), ..EngineConfig::default() };
        let (elo0, elo1) = DEFAULT_BOUNDS;
        let usual = || Sprt::new(elo0, elo1, Sprt::DEFAULT_ALPHA, Sprt::DEFAULT_BETA, SprtModel::Normalized);
        let sprt = self.playing.sequential_test.sprt()?.map_or_else(usual, Ok)?;
        let variant = self.playing.openings.variant();
        let book = books::configure(self.playing.openings.request())?;
        books::load(&book, variant, books::AskedBy::Option)?;
        let concurrency = self.playing.pacing.concurrency(&[engine], self.playing.limits.ponder())?;
        Ok(RunConfig { concurrency, ..self.playing.run_config(book, Some(sprt))?.0 })
    }
}

impl By {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').parse().ok().filter(|percent| (0.0..100.0).contains(percent));
    percent.ok_or_else(|| "expected a number of percent from 0 to below 100".to_owned())
}
