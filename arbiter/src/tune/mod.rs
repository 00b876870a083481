//! `arbiter tune`: tunes an engine's UCI options by SPSA, and tests the values that it finds.
//!
//! The engine plays against itself. Each pair of games has its own values of the options, computed from the scores of
//! earlier pairs. Steps and rates are learned from the games, unless a file gives them. Display, stop, `resume` and report work as for any other run.

mod ask_tell;
mod options_of_engine;
pub mod rounds;
mod screening;
pub mod source_patch;
mod spec;

pub use spec::{Spec, TunedForm, read as read_parameters};

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use runner::process::EngineInfo;
use runner::{Adjudication, EngineConfig, RunConfig, RunPlan, SearchLimits, TimeControl, ValuesTest};
use stats::{Sprt, SprtModel, SprtTest, SpsaParameter, SpsaPlan, Steps};

use crate::cli::{CliResult, OrExitCode, console};
use crate::engines::{self, EngineSpec, session};
use crate::files::new_file;
use crate::measure::tactics::{TacticsSettings, TacticsTest};
use crate::options::PlayingArgs;
use crate::options::books;
use crate::run::playing;
use crate::run::remote::Host;
use crate::text::number_text::counted;
use ask_tell::AskTell;
use screening::screen;

const DEFAULT_GAMES: u32 = 20_000;

const DEFAULT_ASKED_GAMES: u32 = 200;

/// How many pairs per concurrent game may be in progress. A pair starts before earlier ones have ended, so that one long
/// game does not hold up the others.
const DELAY_PER_GAME: usize = 2;

const LEAST_DELAY: usize = 8;

/// The default of `--worth`.
const USUAL_WORTH: f64 = 1.0;

#[derive(Debug, Args)]
#[command(
    mut_arg("games", |arg| arg.long_help(None).help(
        "Games of the tuning, an even number; the SPRT after it has games of its own. With --ask-tell: games for each line \
         [default: 20000, with --ask-tell 200]"
    )),
    mut_arg("idle_engines", |arg| arg.hide(true)),
    after_help = "`arbiter resume` continues a stopped run; `arbiter report --tuned` prints the values of a run at any \
                  time."
)]
pub struct TuneArgs {
    /// The engine to tune; it plays against itself: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// The UCI options to tune, such as 'LMR*,Null*' [default: all numbers except common ones such as Hash]
    ///
    /// The engine announces their start and range. Options that do not change a search of fixed depth are named and left out.
    #[arg(long = "tune", value_name = "NAMES", value_delimiter = ',', help_heading = "Tuning")]
    patterns: Vec<String>,

    /// Parameters: a row for each UCI option, `name, type, value, min, max, c_end, r_end`, as in an SPSA tune on
    /// OpenBench; or a config.json of Weather Factory. Without the last two columns, steps and rates are learned from the games
    #[arg(long, value_name = "FILE", help_heading = "Tuning", conflicts_with = "patterns")]
    spec: Option<PathBuf>,

    /// End the tuning when better values are expected to gain less than this, in Elo [default: 1]
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, value_parser = parse_worth, help_heading = "Tuning")]
    worth: Option<f64>,

    /// Time control of the SPRT that tests the values after the tuning, [0, 5] nElo [default: the limits of the tuning; no SPRT
    /// if --spec has steps]
    #[arg(long, value_name = "TC", conflicts_with = "no_verify", help_heading = "Tuning")]
    verify_tc: Option<TimeControl>,

    /// Do not test the values after the tuning
    #[arg(long, help_heading = "Tuning")]
    no_verify: bool,

    /// Let another program choose the values: for each line of standard input, such as {"margin": 52, "scale": 1.5}, the engine
    /// with these values plays the engine without them, and a line of JSON reports the score and its standard error
    #[arg(long, conflicts_with_all = ["spec", "patterns", "alpha", "gamma", "stability", "worth", "verify_tc", "no_verify"])]
    ask_tell: bool,

    /// Also search the positions of this tactics suite, a file or a shipped one, with the values of each --ask-tell line.
    /// The JSON line then has the numbers of `solved` and of all `positions`; may be repeated
    #[arg(long, value_name = "FILE", requires = "ask_tell", conflicts_with_all = ["spec", "patterns", "alpha", "gamma", "stability", "worth", "verify_tc", "no_verify"])]
    suite: Vec<PathBuf>,

    /// Nodes for each position of --suite
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "suite",
        conflicts_with_all = ["spec", "patterns", "alpha", "gamma", "stability", "worth", "verify_tc", "no_verify"], value_parser = clap::value_parser!(u64).range(1..))]
    suite_nodes: u64,

    /// With given steps: exponent of the learning rate; a larger one makes it fall faster [default: 0.602]
    #[arg(long, value_name = "X", value_parser = parse_share, help_heading = "Tuning")]
    alpha: Option<f64>,

    /// With given steps: exponent of the step c; a larger one makes it fall faster [default: 0.101]
    #[arg(long, value_name = "X", value_parser = parse_share, help_heading = "Tuning")]
    gamma: Option<f64>,

    /// With given steps: SPSA's A divided by the number of pairs; a larger A makes the first updates smaller [default: 0.1]
    #[arg(long = "a-ratio", value_name = "X", value_parser = parse_share, help_heading = "Tuning")]
    stability: Option<f64>,

    /// Play on these machines over ssh: ada,grace:8 plays 8 games at once on grace
    ///
    /// Each is a host name, or a name from ~/.ssh/config; `.` is this machine, which plays only if it is listed. Without a number, a
    /// machine plays as many games at once as fit on its cores. The engine, its NNUE files and the book are copied to the machines.
    /// Values change only between rounds of games.
    #[arg(
        long,
        value_name = "HOST,…",
        value_delimiter = ',',
        help_heading = "Several machines",
        conflicts_with = "ask_tell"
    )]
    on: Vec<Host>,

    #[command(flatten)]
    playing: PlayingArgs,
}

impl TuneArgs {
    pub fn run(self) -> CliResult {
        let PlayingArgs { limits, pacing, .. } = &self.playing;
        if self.ask_tell {
            return self.ask_tell();
        }
        pacing.out().map_or(Ok(()), new_file::check_out).usage()?;
        let given = self.spec.as_deref().map(spec::read).transpose().usage()?;
        let opened = self.playing.open(DEFAULT_GAMES, books::DEFAULT, &Adjudication::default());
        let (config, opened, tables) = opened.usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let is_learned = given.as_ref().is_none_or(|spec| !spec.has_steps);
        self.check_schedule(is_learned).usage()?;
        let parameters = self.parameters(&engine, given).usage()?;
        let out = self.folder(&engine);
        let engines = both_ends(&engine);
        let concurrency = pacing.concurrency(&engines, limits).usage()?;
        let steps = if is_learned {
            Steps::Learned { worth: self.worth.unwrap_or(USUAL_WORTH) }
        } else {
            Steps::Given
        };
        let spsa = Some(SpsaPlan { steps, ..self.spsa(parameters, &config, concurrency) });
        let values_test = self.values_test(is_learned).usage()?;
        let config = RunConfig { engines, concurrency, spsa, values_test, ..config };
        let mut plan = RunPlan::new(config).usage()?.with_tables(tables);
        playing::introduce(&mut plan).usage()?;
        if let Some(spsa) = plan.config().spsa.as_ref().filter(|_| is_learned) {
            console::note(&format!(
                "{} tell one end of an option's step from the other if they differ by {:.1} Elo or more (60% draws); steps are \
                 learned, up to a quarter of the range; values tuned at a short time control may lose at a longer one (--verify-tc)",
                counted(plan.config().games.into(), "game"),
                spsa.resolution()
            ));
        }
        let limits = &plan.config().limits;
        if limits.clock.is_none() && limits.movetime.is_none() && limits.nodes.is_none() {
            console::note(
                "warning: at a fixed depth, values that make the engine search more moves look good, whatever time they cost; \
                 use --nodes or --tc to tune the search",
            );
        }
        if !self.on.is_empty() {
            return rounds::start(plan.config(), &self.on, &out, pacing.conclusion);
        }
        playing::start(plan, opened, Some(&out), pacing.conclusion)
    }

    /// The parameters from the file, or from the engine's own options if there is no file.
    fn parameters(&self, engine: &EngineConfig, given: Option<Spec>) -> Result<Vec<SpsaParameter>> {
        let session = session::start(engine)?;
        let introduction = session.introduction().clone();
        session.quit();
        let is_given = given.is_some();
        let announced = || options_of_engine::parameters(&introduction, &self.patterns);
        let parameters = given.map(|spec| spec.parameters).map_or_else(announced, Ok)?;
        check_options(engine, &introduction, &parameters)?;
        screen(engine, parameters, is_given)
    }

    /// Refuses what has no effect.
    fn check_schedule(&self, is_learned: bool) -> Result<()> {
        let has_schedule = [self.alpha, self.gamma, self.stability].iter().any(Option::is_some);
        ensure!(
            !(is_learned && has_schedule),
            "--alpha, --gamma, --a-ratio: steps and rates are learned; to give them, write c_end and r_end into --spec FILE"
        );
        ensure!(
            is_learned || self.worth.is_none(),
            "--worth: expected learned steps; leave c_end and r_end out of --spec"
        );
        Ok(())
    }

    /// The test after the tuning: with given steps only if its time control is given, as users of such steps test by hand.
    fn values_test(&self, is_learned: bool) -> Result<Option<ValuesTest>> {
        let is_wanted = !self.no_verify && (is_learned || self.verify_tc.is_some());
        let (alpha, beta) = (Sprt::DEFAULT_ALPHA, Sprt::DEFAULT_BETA);
        let sprt = Sprt::new(0.0, 5.0, alpha, beta, SprtModel::Normalized)?.with_test(SprtTest::Curved);
        Ok(is_wanted.then(|| ValuesTest { sprt, tc: self.verify_tc.clone() }))
    }

    fn ask_tell(&self) -> CliResult {
        let PlayingArgs { limits, pacing, openings, .. } = &self.playing;
        let config = self.playing.run_config(DEFAULT_ASKED_GAMES).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let folder = self.folder(&engine);
        let concurrency = pacing.concurrency(&both_ends(&engine), limits).usage()?;
        let conclusion = pacing.conclusion;
        let tactics = self.tactics(concurrency).usage()?;
        let (run, seeded) = (RunConfig { concurrency, ..config }, openings.is_seeded());
        AskTell { engine, run, seeded, folder, conclusion, tactics }.serve()
    }

    fn tactics(&self, concurrency: usize) -> Result<Option<TacticsTest>> {
        let limits = SearchLimits { nodes: Some(self.suite_nodes), ..SearchLimits::default() };
        let settings = TacticsSettings::new(self.suite.clone(), Some(concurrency), &limits);
        (!self.suite.is_empty()).then(|| settings.read()).transpose()
    }

    fn folder(&self, engine: &EngineConfig) -> PathBuf {
        let unnamed = || new_file::below_results(&format!("tune-{}", playing::file_name(&engine.name)));
        self.playing.pacing.out().map_or_else(unnamed, Path::to_owned)
    }

    fn spsa(&self, parameters: Vec<SpsaParameter>, config: &RunConfig, concurrency: usize) -> SpsaPlan {
        SpsaPlan {
            pairs: config.games / 2,
            alpha: self.alpha.unwrap_or(SpsaPlan::ALPHA),
            gamma: self.gamma.unwrap_or(SpsaPlan::GAMMA),
            stability: self.stability.unwrap_or(SpsaPlan::STABILITY),
            delay: if self.on.is_empty() {
                (DELAY_PER_GAME * concurrency).max(LEAST_DELAY) as u32
            } else {
                rounds::delay(config.games / 2, &self.on)
            },
            seed: config.book.seed,
            steps: Steps::Given,
            known: Vec::new(),
            parameters,
        }
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn parse_worth(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (0.0..1000.0).contains(number));
    number.ok_or_else(|| "expected a number of Elo from 0 to 1000".to_owned())
}

/// Two copies of the engine, which get opposite perturbations in each pair of games.
fn both_ends(engine: &EngineConfig) -> Vec<EngineConfig> {
    let named = |end| EngineConfig { name: format!("{}{end}", engine.name), ..engine.clone() };
    ["+", "-"].map(named).to_vec()
}

/// Refuses an option that the engine does not have, that does not accept both ends of its range, or that is set to a value.
fn check_options(
    engine: &EngineConfig,
    introduction: &EngineInfo,
    parameters: &[SpsaParameter],
) -> Result<()> {
    for parameter in parameters {
        for end in [parameter.min, parameter.max] {
            let value = parameter.text(end);
            let checked = introduction.check_setting(&parameter.name, Some(&value));
            checked.with_context(|| format!("parameter {}", parameter.name))?;
        }
        if engine.options.iter().any(|option| option.name.eq_ignore_ascii_case(&parameter.name)) {
            bail!("parameter {}: the engine sets this option, too; remove one of the two", parameter.name);
        }
    }
    Ok(())
}
