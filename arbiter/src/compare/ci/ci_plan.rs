//! The plan of `arbiter ci`: everything that the steps need, found and checked before an engine starts.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::baseline::BaselineFile;
use super::ci_file::{BenchTable, CiFile, MatchTable, ProtocolTable, SanitizeTable, SpeedTable};
use super::step::Step;
use crate::engines::{self, EngineSettings, EngineSource, EngineSpec};
use crate::measure::bench;
use crate::measure::check::check_names;
use crate::measure::perft::{PerftSettings, PerftTest};
use crate::measure::speed::SpeedPlan;
use crate::measure::tactics::{TacticsSettings, TacticsTest};
use crate::options::books::{self, AskedBy, Changed};
use crate::options::machine;
use referee::Variant;
use referee::openings::Book;
use runner::{BookConfig, RunConfig, SearchLimits, Termination};

#[derive(Debug, Args)]
pub struct CiRequest {
    /// Configuration file with a table for each step
    #[arg(long, value_name = "FILE", default_value = CiFile::NAME)]
    pub(super) config: PathBuf,

    /// Test this build instead of the `engine` of the file: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<EngineSpec>,

    /// Compare speed and games with this build [default: the commit of the baseline]
    #[arg(long, value_name = "ENGINE")]
    pub(super) against: Option<EngineSpec>,

    /// Run only these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) only: Vec<Step>,

    /// Skip these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) skip: Vec<Step>,

    /// If the build passes, write its measurements as the new baseline, and show what changed; no games are played
    #[arg(long)]
    pub(super) update_baseline: bool,
}

#[derive(Debug)]
pub struct CiPlan {
    pub steps: Vec<Step>,
    pub name: String,
    pub engine: EngineSpec,
    pub against: Option<EngineSpec>,
    pub baseline: BaselineFile,
    /// Whether to write a new baseline; then nothing is compared with the old one.
    pub update_baseline: bool,
    pub protocol: Option<ProtocolTable>,
    pub perft: Option<PerftTest>,
    pub bench: Option<BenchTable>,
    pub tactics: Option<TacticsTest>,
    pub sanitize: Option<SanitizePlan>,
    pub speed: Option<SpeedStepPlan>,
    pub games: Option<MatchPlan>,
    /// Why there is no match, if the file has a match but no opponent is known.
    pub no_opponent: Option<String>,
}

#[derive(Clone, Debug)]
pub struct SpeedStepPlan {
    pub plan: SpeedPlan,
    pub tolerance: f64,
}

#[derive(Debug)]
pub struct SanitizePlan {
    pub build: EngineSpec,
    /// The configuration without engines.
    pub run: RunConfig,
    pub openings: Book,
}

#[derive(Debug)]
pub struct MatchPlan {
    /// The configuration without engines.
    pub run: RunConfig,
    pub names_clock: bool,
    pub concurrency: Option<u16>,
    pub openings: Book,
    /// Faults that do not fail the step.
    pub may_fail: Vec<Termination>,
}

impl CiPlan {
    pub fn new(file: CiFile, request: &CiRequest) -> Result<CiPlan> {
        let steps = chosen_steps(&file, request)?;
        let place = request.config.display();
        let name = name_of(&file.engine.0);
        let default = || BaselineFile::default_path(&name);
        let baseline = BaselineFile::read(file.baseline.clone().unwrap_or_else(default))?;
        if let (Some(_), Some(table)) =
            (&request.engine, file.bench.as_ref().filter(|_| steps.contains(&Step::Bench)))
            && table.command.as_ref().is_some_and(|command| !command.contains(bench::PROGRAM))
        {
            bail!(
                "{place}: bench, command: expected `{}` in the command, because --engine names another program",
                bench::PROGRAM
            );
        }
        let engine = request.engine.clone().unwrap_or_else(|| file.engine.0.clone());
        let against = request.against.clone().or(file.against.map(|against| against.0));
        let against = against.or_else(|| build_of(&file.engine.0, &baseline));
        let program = match &file.engine.0.source {
            EngineSource::Path(program) => Some(program.clone()),
            EngineSource::Name(_) | EngineSource::Revision { .. } => None,
        };
        let chosen = |step: Step| steps.contains(&step);
        let plan = || {
            anyhow::Ok(CiPlan {
                against: against.filter(|_| !request.update_baseline),
                update_baseline: request.update_baseline,
                protocol: file.protocol.filter(|_| chosen(Step::Protocol)).map(check_protocol).transpose()?,
                perft: file.perft.as_ref().filter(|_| chosen(Step::Perft)).map(read_perft).transpose()?,
                bench: file.bench.filter(|_| chosen(Step::Bench)).map(check_bench).transpose()?,
                tactics: file
                    .tactics
                    .as_ref()
                    .filter(|_| chosen(Step::Tactics))
                    .map(read_tactics)
                    .transpose()?,
                sanitize: file
                    .sanitize
                    .filter(|_| chosen(Step::Sanitize))
                    .map(|table| read_sanitize(table, &engine))
                    .transpose()?,
                speed: file.speed.filter(|_| chosen(Step::Speed)).map(read_speed).transpose()?,
                games: file.games.filter(|_| chosen(Step::Match)).map(read_match).transpose()?,
                no_opponent: None,
                steps: steps.clone(),
                name,
                engine,
                baseline,
            })
        };
        let mut plan = plan().with_context(|| place.to_string())?;
        if plan.games.is_some() && plan.against.is_none() {
            let baseline = plan.baseline.path.display();
            let name_one = "name an opponent with `against = \"ENGINE\"` or --against ENGINE";
            let why = if let Some(program) = &program {
                let program = program.display();
                format!(
                    "{program} has no manifest with `repo` and `build`, to build it at another commit: {name_one}"
                )
            } else {
                let lacks = match &plan.baseline.known {
                    None => format!("there is no baseline {baseline}"),
                    Some(_) => format!("{baseline} names no commit"),
                };
                format!(
                    "{lacks}: write one from a clean working tree with `arbiter ci --update-baseline`, or {name_one}"
                )
            };
            // Without an opponent, the other steps still run, unless a match was asked for.
            let can_skip = program.is_some() || plan.baseline.known.is_none();
            if !can_skip || !request.only.is_empty() || plan.steps == [Step::Match] {
                bail!("{place}: match: {why}");
            }
            plan.games = None;
            plan.no_opponent = Some(format!("skipped, because {why}"));
        }
        plan.check_baseline().with_context(|| plan.baseline.path.display().to_string())?;
        Ok(plan)
    }

    fn check_baseline(&self) -> Result<()> {
        let Some(known) = self.baseline.known.as_ref().filter(|_| !self.update_baseline) else {
            return Ok(());
        };
        known.check_engine(&self.name)?;
        for suite in self.perft.iter().flat_map(|perft| &perft.suites) {
            known.check_perft(&suite.name, &suite.sha256)?;
        }
        if let Some(tactics) = &self.tactics {
            for suite in &tactics.suites {
                known.check_tactics(&suite.name, &suite.sha256, &tactics.go.to_string())?;
            }
        }
        Ok(())
    }
}

/// The steps of the file that --only and --skip leave. Naming a step that the file does not have is an error.
fn chosen_steps(file: &CiFile, request: &CiRequest) -> Result<Vec<Step>> {
    let mut steps = file.steps();
    let place = request.config.display();
    if steps.is_empty() {
        let all: Vec<String> = Step::value_variants().iter().map(|step| format!("[{step}]")).collect();
        bail!("{place}: expected at least one of {}", all.join(", "));
    }
    for (option, named) in [("--only", &request.only), ("--skip", &request.skip)] {
        if let Some(step) = named.iter().find(|step| !steps.contains(step)) {
            bail!("{option} {step}: expected [{step}] in {place}, found none");
        }
    }
    steps.retain(|step| !request.skip.contains(step));
    steps.retain(|step| request.only.is_empty() || request.only.contains(step));
    // A baseline records no games.
    steps.retain(|step| !(request.update_baseline && matches!(step, Step::Sanitize | Step::Match)));
    if steps.is_empty() {
        bail!("{place}: --only and --skip leave no step to run");
    }
    Ok(steps)
}

fn name_of(engine: &EngineSpec) -> String {
    match &engine.source {
        EngineSource::Name(name) | EngineSource::Revision { name, .. } => name.clone(),
        EngineSource::Path(path) => {
            path.file_stem().map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

fn build_of(engine: &EngineSpec, baseline: &BaselineFile) -> Option<EngineSpec> {
    let (EngineSource::Name(name) | EngineSource::Revision { name, .. }) = &engine.source else {
        return None;
    };
    let revision = baseline.known.as_ref()?.revision.clone()?;
    let source = EngineSource::Revision { name: name.clone(), revision };
    Some(EngineSpec { source, ..engine.clone() })
}

fn check_protocol(table: ProtocolTable) -> Result<ProtocolTable> {
    let names = check_names();
    match table.may_fail.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => bail!(
            "protocol, may_fail: expected names of checks, found `{name}`; the checks are {}",
            names.join(", ")
        ),
        None => Ok(table),
    }
}

fn check_above_zero<T: Copy + PartialEq + Default>(field: &str, number: Option<T>) -> Result<()> {
    if number == Some(T::default()) {
        bail!("{field}: expected a number from 1, found 0");
    }
    Ok(())
}

fn read_perft(settings: &PerftSettings) -> Result<PerftTest> {
    check_above_zero("perft, depth", settings.depth)?;
    settings.read().context("perft")
}

fn check_bench(table: BenchTable) -> Result<BenchTable> {
    match (&table.command, &table.uci) {
        (Some(_), Some(_)) => bail!("bench: expected either `command` or `uci`, found both"),
        (None, None) => bail!("bench: expected `command` or `uci`, which runs the bench"),
        _ => Ok(table),
    }
}

fn read_tactics(settings: &TacticsSettings) -> Result<TacticsTest> {
    check_above_zero("tactics, concurrency", settings.concurrency)?;
    settings.limits().validate().context("tactics")?;
    settings.read().context("tactics, suites")
}

fn read_speed(table: SpeedTable) -> Result<SpeedStepPlan> {
    let SpeedTable { suites, duration, tolerance } = table;
    if !(0.0..100.0).contains(&tolerance) {
        bail!("speed, tolerance: expected a percentage from 0 to 100, found {tolerance}");
    }
    if duration < Duration::from_secs(1) {
        bail!("speed, duration: expected at least 1s, found {duration:?}");
    }
    let plan = SpeedPlan::read(&suites, false, &SearchLimits::default(), 1).context("speed, suites")?;
    let tolerance = tolerance / 100.0;
    Ok(SpeedStepPlan { plan: SpeedPlan { duration, decides: Some(tolerance), ..plan }, tolerance })
}

fn read_sanitize(table: SanitizeTable, engine: &EngineSpec) -> Result<SanitizePlan> {
    let SanitizeTable { build, games, limits, openings, seed } = table;
    limits.validate().context("sanitize, limits")?;
    if let Some(problem) = RunConfig::problem_of_pairs(games) {
        bail!("sanitize, {problem}");
    }
    if !engines::has_build(engine, &build) {
        bail!(
            "sanitize, build: expected [builds.{build}] in the manifest of the engine, found none; or add `--skip sanitize`"
        );
    }
    let settings = EngineSettings { build: Some(build), ..engine.settings.clone() };
    let (book, openings) = read_book("sanitize", openings, seed)?;
    let made = Some(machine::made_now());
    let run = RunConfig { limits, made, ..RunConfig::of(games, book, Vec::new()) };
    Ok(SanitizePlan { build: EngineSpec { settings, ..engine.clone() }, run, openings })
}

fn read_book(step: &'static str, openings: Option<PathBuf>, seed: u64) -> Result<(BookConfig, Book)> {
    let path = openings.unwrap_or_else(|| PathBuf::from(books::DEFAULT));
    let book = BookConfig { seed, ..BookConfig::of(path) };
    let book = books::settle(book, Changed::Accepted).with_context(|| format!("{step}, openings"))?;
    let openings = books::load(&book, Variant::Standard, AskedBy::File)?;
    Ok((book, openings))
}

fn read_match(table: MatchTable) -> Result<MatchPlan> {
    let (sprt, games) = (Some(table.test()?), table.games);
    table.limits.validate().context("match, limits")?;
    if let Some(problem) = RunConfig::problem_of_pairs(games) {
        bail!("match, {problem}");
    }
    check_above_zero("match, concurrency", table.concurrency)?;
    if let Some(kind) = table.may_fail.iter().find(|kind| !kind.is_fault()) {
        let faults: Vec<String> =
            Termination::all().filter(|kind| kind.is_fault()).map(|kind| kind.to_string()).collect();
        bail!(
            "match, may_fail: expected faults of an engine, found `{kind}`; they are {}",
            faults.join(", ")
        );
    }
    let (book, openings) = read_book("match", table.openings, table.seed)?;
    let run = RunConfig {
        clock: table.clock.unwrap_or_default(),
        limits: table.limits,
        adjudication: table.adjudication,
        affinity: table.affinity,
        logs: table.logs,
        sprt,
        made: Some(machine::made_now()),
        ..RunConfig::of(games, book, Vec::new())
    };
    let (names_clock, concurrency, may_fail) = (table.clock.is_some(), table.concurrency, table.may_fail);
    Ok(MatchPlan { run, names_clock, concurrency, openings, may_fail })
}
