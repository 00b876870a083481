//! `arbiter bisect NAME --good REV --bad REV --by …`: finds the first bad commit.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

use super::course::{self, BisectState};
use super::criterion::Criterion;
use crate::cli::{CliResult, OrExitCode, command_line, console};
use crate::engines::{self, Commit, Manifest, Repository};
use crate::files::StateFile;
use crate::measure::Baseline;
use crate::measure::perft::PerftSettings;
use crate::measure::sanitize::SanitizeTable;
use crate::measure::speed::SpeedCriterion;
use crate::measure::tactics::TacticsSettings;
use crate::options::{PlayedTestArgs, PlayingArgs};
use crate::text::number_text::counted;
use runner::{EngineConfig, RunConfig, SearchLimits, UciSetting};

/// The default SPRT bounds in normalized Elo: H0 is a clear regression, H1 is none.
const DEFAULT_BOUNDS: (f64, f64) = (-10.0, 0.0);

const NOTES: &str = "\
The options of a match, from --tc to --give-up, apply to --by match; its default is --sprt=-10,0. Other criteria use:
  --by perft     --depth as the maximum depth
  --by tactics   --movetime, --nodes, --depth (default: --movetime 1000), --concurrency
  --by speed     --movetime, --nodes, --depth (default: 30 seconds for all positions)
  --by sanitize  --movetime, --nodes, --depth (default: --nodes 2000), --games (default: 10)";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct BisectArgs {
    #[command(flatten)]
    given: GivenOptions,

    /// Engine with a manifest whose `repo` has the commits
    #[arg(value_name = "NAME")]
    engine: String,

    /// Good revision
    #[arg(long, value_name = "REV")]
    good: String,

    /// Later, bad revision
    #[arg(long, value_name = "REV")]
    bad: String,

    /// Criterion: a commit is bad if …
    #[arg(long, value_enum, value_name = "CRITERION")]
    by: CriterionArg,

    /// Suite for perft, tactics or speed: a file or a shipped suite [default: all shipped suites;
    /// for tactics tarrasch.epd and classics.epd]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// With --by perft: the line that asks for a count, with {depth}, as in `arbiter perft --uci`
    #[arg(long, value_name = "LINE", requires = "perft_nodes")]
    perft_uci: Option<String>,

    /// With --by perft: regular expression for the number in the answer, as in `arbiter perft --nodes`
    #[arg(long, value_name = "REGEX", requires = "perft_uci")]
    perft_nodes: Option<String>,

    /// With --by speed: accepted slowdown relative to the good commit
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = parse_percent)]
    max_slowdown: f64,

    /// With --by speed: search the positions N times, or up to 4N times while the result is inconclusive
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// With --by sanitize: the build of the manifest that plays
    #[arg(long, value_name = "NAME", default_value_t = SanitizeTable::default().build)]
    build: String,

    #[command(flatten)]
    playing: PlayingArgs,

    #[command(flatten)]
    test: PlayedTestArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CriterionArg {
    /// … a perft count is wrong.
    Perft,
    /// … a required position is missed, or significantly fewer positions are solved than by the good commit.
    Tactics,
    /// … it searches fewer nodes per second than the good commit.
    Speed,
    /// … `PROGRAM bench` searches a different number of nodes than for the good commit.
    Bench,
    /// … the SPRT of a match against the good commit accepts H0.
    Match,
    /// … it fails a check of the UCI protocol that the good commit passes.
    Protocol,
    /// … games of its build with sanitizers report an error.
    Sanitize,
}

impl BisectArgs {
    pub fn run(self) -> CliResult {
        BisectState::check_out(self.playing.pacing.out()).usage()?;
        let (manifest, repository) = engines::versioned(&self.engine).usage()?;
        let (good, commits) = self.commits(&repository).usage()?;
        let criterion = self.criterion(&manifest).usage()?;
        let name = format!("bisect-{}-{}", self.engine, criterion.name());
        let out = self.playing.pacing.out().map(Path::to_owned);
        let state = BisectState {
            schema: BisectState::SCHEMA,
            command: command_line(),
            engine: self.engine,
            good,
            criterion,
            baseline: Baseline::default(),
            commits,
            base: None,
            tests: Vec::new(),
        };
        let folder = state.create(out.as_deref(), &name).of_path()?;
        console::note(&format!(
            "{} to bisect: first --good and --bad, then about {}; state in {}",
            counted(state.commits.len() as u64, "commit"),
            counted((state.commits.len() as f64).log2().ceil() as u64, "test"),
            folder.display()
        ));
        course::run(&folder, state)
    }

    fn commits(&self, repository: &Repository) -> Result<(Commit, Vec<Commit>)> {
        let good = repository.commit(&self.good).context("--good")?;
        let bad = repository.commit(&self.bad).context("--bad")?;
        if good == bad {
            bail!(
                "--good {} and --bad {}: expected two commits, but both are {}",
                self.good,
                self.bad,
                good.hash
            );
        }
        if !repository.is_ancestor(&good, &bad)? {
            let hint = if repository.is_ancestor(&bad, &good)? {
                "; --good and --bad are the wrong way round"
            } else {
                ""
            };
            bail!("--good {}: expected an ancestor of --bad {}{hint}", self.good, self.bad);
        }
        let commits = repository.first_parents(&good, &bad)?;
        Ok((good, commits))
    }

    fn check_given(&self) -> Result<()> {
        let options = BisectArgs::augment_args(Command::new("bisect"));
        for option in options.get_opts().filter(|option| self.given.0.iter().any(|id| option.get_id() == id))
        {
            let users = CriterionArg::value_variants().iter().filter(|by| by.uses(option.get_id().as_str()));
            let users: Vec<String> = users.map(|by| by.name()).collect();
            if !users.contains(&self.by.name()) {
                let option = option.get_long().unwrap_or_default();
                bail!("--{option}: expected --by {}, found --by {}", users.join(" or "), self.by.name());
            }
        }
        Ok(())
    }

    fn criterion(&self, manifest: &Manifest) -> Result<Criterion> {
        self.check_given()?;
        let limits = self.playing.limits.per_move.limits();
        Ok(match self.by {
            CriterionArg::Perft => {
                let settings = PerftSettings {
                    suites: self.suite.clone(),
                    depth: limits.depth,
                    uci: self.perft_uci.clone(),
                    nodes: self.perft_nodes.clone(),
                };
                settings.form()?;
                Criterion::Perft(settings)
            }
            CriterionArg::Tactics => {
                let concurrency = self.playing.pacing.wish();
                Criterion::Tactics(TacticsSettings::new(self.suite.clone(), concurrency, &limits))
            }
            CriterionArg::Speed => Criterion::Speed(SpeedCriterion {
                suites: self.suite.clone(),
                rounds: self.rounds,
                max_slowdown: self.max_slowdown,
                limits,
            }),
            CriterionArg::Bench => Criterion::Bench,
            CriterionArg::Protocol => Criterion::Protocol,
            CriterionArg::Sanitize => Criterion::Sanitize(self.sanitized_games(manifest, limits)?),
            CriterionArg::Match => Criterion::Match { run: Box::new(self.run_config(manifest)?) },
        })
    }

    fn sanitized_games(&self, manifest: &Manifest, limits: SearchLimits) -> Result<SanitizeTable> {
        let (build, usual) = (self.build.clone(), SanitizeTable::default());
        if !manifest.has_build(&build) {
            bail!(
                "--build {build}: expected [builds.{build}] in engines/{}/engine.toml, found none",
                self.engine
            );
        }
        let games = self.playing.pacing.games(usual.games)?;
        let limits = if limits == SearchLimits::default() { usual.limits } else { limits };
        Ok(SanitizeTable { build, games, limits, ..SanitizeTable::default() })
    }

    /// The configuration of a match against the good build, without engines.
    fn run_config(&self, manifest: &Manifest) -> Result<RunConfig> {
        // The manifest's options apply to every version.
        let setting = |(name, value)| UciSetting { name, value: Some(value) };
        let engine =
            EngineConfig { options: manifest.options().map(setting).collect(), ..EngineConfig::default() };
        let sprt = self.test.sprt_or(DEFAULT_BOUNDS)?;
        let run = self.playing.run_config(PlayedTestArgs::default_games(Some(&sprt)))?;
        let concurrency = self.playing.pacing.concurrency(&[engine], &self.playing.limits)?;
        Ok(RunConfig { concurrency, ..self.test.ending(run, Some(sprt)) })
    }
}

impl CriterionArg {
    fn uses(self, option: &str) -> bool {
        match option {
            "good" | "bad" | "by" | "out" => true,
            "suite" => matches!(self, CriterionArg::Perft | CriterionArg::Tactics | CriterionArg::Speed),
            "perft_uci" | "perft_nodes" => self == CriterionArg::Perft,
            "max_slowdown" | "rounds" => self == CriterionArg::Speed,
            "build" => self == CriterionArg::Sanitize,
            "depth" => !matches!(self, CriterionArg::Bench | CriterionArg::Protocol),
            "movetime" | "nodes" => matches!(
                self,
                CriterionArg::Tactics | CriterionArg::Speed | CriterionArg::Match | CriterionArg::Sanitize
            ),
            "concurrency" => matches!(self, CriterionArg::Tactics | CriterionArg::Match),
            "games" => matches!(self, CriterionArg::Match | CriterionArg::Sanitize),
            _ => self == CriterionArg::Match,
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').parse().ok().filter(|percent| (0.0..100.0).contains(percent));
    percent.ok_or_else(|| "expected a percentage from 0 to below 100".to_owned())
}

/// The ids of the options that were typed, without those with default values. This field must precede the others of
/// its struct, which take their values out of the matches.
#[derive(Clone, Debug)]
struct GivenOptions(Vec<String>);

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GivenOptions, Error> {
        let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Ok(GivenOptions(matches.ids().map(clap::Id::as_str).filter(is_typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = GivenOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
