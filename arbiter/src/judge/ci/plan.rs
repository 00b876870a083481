//! The steps with all that they need, looked up and checked before an engine starts.

use std::borrow::Borrow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::baseline::BaselineFile;
use super::ci_file::{BenchTable, CiFile, MatchTable, PerftTable, ProtocolTable, SpeedTable, TacticsTable};
use super::step::Step;
use crate::engines::{EngineSource, EngineSpec};
use crate::files::{sha256, suite_files};
use crate::measure::check::protocol::check_names;
use crate::measure::evidence::bench;
use crate::measure::perft::PerftSuite;
use crate::measure::speed::SpeedSuite;
use crate::measure::tactics::TacticsSuite;
use crate::options::books;
use crate::options::books::AskedBy;
use crate::options::books::Changed;
use referee::Variant;
use referee::openings::Book;
use runner::{BookConfig, SearchLimits};
use stats::Sprt;
use uci::Go;

/// The time for a tactical position when the file gives no limit.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

/// The options of the command line.
#[derive(Clone, Debug, Default)]
pub struct CiRequest {
    /// The build under test, instead of that of the file.
    pub engine: Option<EngineSpec>,
    /// The build to compare with, instead of that of the file.
    pub against: Option<EngineSpec>,
    /// The only steps to run; empty for all.
    pub only: Vec<Step>,
    pub skip: Vec<Step>,
    /// Whether to write a new baseline.
    pub update_baseline: bool,
}

/// A run of `arbiter ci` before its engines are looked up.
#[derive(Debug)]
pub struct CiPlan {
    /// The steps in their order.
    pub steps: Vec<Step>,
    /// The name of the engine, without the revision.
    pub name: String,
    pub engine: EngineSpec,
    /// The build that speed and games are compared with.
    pub against: Option<EngineSpec>,
    pub baseline: BaselineFile,
    /// Whether a new baseline is written; then nothing is compared with the old one.
    pub update_baseline: bool,
    pub protocol: Option<ProtocolTable>,
    pub perft: Option<PerftPlan>,
    pub bench: Option<BenchTable>,
    pub tactics: Option<TacticsPlan>,
    pub speed: Option<SpeedStepPlan>,
    pub games: Option<MatchPlan>,
    /// Why there is no match, if the file has one and nothing to play against.
    pub no_opponent: Option<String>,
}

/// A suite and its SHA-256.
#[derive(Clone, Debug)]
pub struct HashedSuite<S> {
    pub suite: S,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
}

impl Borrow<PerftSuite> for HashedSuite<PerftSuite> {
    fn borrow(&self) -> &PerftSuite {
        &self.suite
    }
}

#[derive(Clone, Debug)]
pub struct PerftPlan {
    pub suites: Vec<HashedSuite<PerftSuite>>,
    /// Whether these are all that ship, of which an engine without Chess960 counts what it can.
    pub is_default: bool,
    /// The greatest depth, in plies.
    pub max_depth: u32,
}

#[derive(Clone, Debug)]
pub struct TacticsPlan {
    pub suites: Vec<HashedSuite<TacticsSuite>>,
    /// The limit of each search.
    pub go: Go,
    /// Positions searched at the same time.
    pub concurrency: usize,
    /// Whether all positions that are marked as required must be solved.
    pub required: bool,
}

#[derive(Clone, Debug)]
pub struct SpeedStepPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// The approximate duration of the measurement.
    pub duration: Duration,
    /// The loss that is accepted, as a share of the speed.
    pub tolerance: f64,
}

#[derive(Debug)]
pub struct MatchPlan {
    /// The table of the file.
    pub table: MatchTable,
    pub test: Sprt,
    /// The book as run.toml records it.
    pub book: BookConfig,
    pub openings: Book,
}

impl CiPlan {
    /// Looks up the suites, the book and the baseline.
    pub fn new(file: CiFile, path: &Path, request: CiRequest) -> Result<CiPlan> {
        let steps = chosen_steps(&file, path, &request)?;
        let place = path.display();
        let is_chosen = |step: Step| steps.contains(&step);
        let name = name_of(&file.engine.0);
        let default = || BaselineFile::default_path(&name);
        let baseline = BaselineFile::read(file.baseline.clone().unwrap_or_else(default))?;
        if let (Some(_), Some(table)) =
            (&request.engine, file.bench.as_ref().filter(|_| is_chosen(Step::Bench)))
            && table.command.as_ref().is_some_and(|command| !command.contains(bench::PROGRAM))
        {
            bail!(
                "{place}: bench, command: expected `{}` in the command, because --engine names another program",
                bench::PROGRAM
            );
        }
        let engine = request.engine.unwrap_or_else(|| file.engine.0.clone());
        let against = request.against.or(file.against.map(|against| against.0));
        let against = against.or_else(|| build_of(&file.engine.0, &baseline));
        let program = match &file.engine.0.source {
            EngineSource::Path(program) => Some(program.clone()),
            EngineSource::Name(_) | EngineSource::Revision { .. } => None,
        };
        let plan = || {
            Ok(CiPlan {
                against: against.filter(|_| !request.update_baseline),
                update_baseline: request.update_baseline,
                protocol: file
                    .protocol
                    .filter(|_| is_chosen(Step::Protocol))
                    .map(check_protocol)
                    .transpose()?,
                perft: file.perft.as_ref().filter(|_| is_chosen(Step::Perft)).map(read_perft).transpose()?,
                bench: file.bench.filter(|_| is_chosen(Step::Bench)).map(check_bench).transpose()?,
                tactics: file
                    .tactics
                    .as_ref()
                    .filter(|_| is_chosen(Step::Tactics))
                    .map(read_tactics)
                    .transpose()?,
                speed: file.speed.as_ref().filter(|_| is_chosen(Step::Speed)).map(read_speed).transpose()?,
                games: file.games.filter(|_| is_chosen(Step::Match)).map(read_match).transpose()?,
                no_opponent: None,
                steps: steps.clone(),
                name,
                engine,
                baseline,
            })
        };
        let plan: Result<CiPlan> = plan();
        let mut plan = plan.with_context(|| place.to_string())?;
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
            // Steps that need no opponent run without one, unless a match was asked for.
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

    /// Refuses a baseline of another engine or of other suites, unless a new one is written.
    fn check_baseline(&self) -> Result<()> {
        let Some(known) = self.baseline.known.as_ref().filter(|_| !self.update_baseline) else {
            return Ok(());
        };
        known.check_engine(&self.name)?;
        for HashedSuite { suite, sha256 } in self.perft.iter().flat_map(|perft| &perft.suites) {
            known.check_perft(&suite.name, sha256)?;
        }
        if let Some(tactics) = &self.tactics {
            for HashedSuite { suite, sha256 } in &tactics.suites {
                known.check_tactics(&suite.name, sha256, &tactics.go.to_string())?;
            }
        }
        Ok(())
    }
}

/// The steps of the file that --only and --skip leave. It is an error to name a step that the file does not have.
fn chosen_steps(file: &CiFile, path: &Path, request: &CiRequest) -> Result<Vec<Step>> {
    let mut steps = file.steps();
    let place = path.display();
    if steps.is_empty() {
        bail!("{place}: expected at least one of {}", Step::ALL.map(|step| format!("[{step}]")).join(", "));
    }
    for (option, named) in [("--only", &request.only), ("--skip", &request.skip)] {
        if let Some(step) = named.iter().find(|step| !steps.contains(step)) {
            bail!("{option} {step}: expected [{step}] in {place}, found none");
        }
    }
    steps.retain(|step| !request.skip.contains(step));
    steps.retain(|step| request.only.is_empty() || request.only.contains(step));
    // Games are no part of a baseline.
    steps.retain(|step| !(request.update_baseline && *step == Step::Match));
    if steps.is_empty() {
        bail!("{place}: --only and --skip leave no step to run");
    }
    Ok(steps)
}

/// The name of an engine, without its revision.
fn name_of(engine: &EngineSpec) -> String {
    match &engine.source {
        EngineSource::Name(name) | EngineSource::Revision { name, .. } => name.clone(),
        EngineSource::Path(path) => {
            path.file_stem().map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

/// The build of the baseline, if its commit is known.
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

/// A number that is given and above 0, or none.
fn check_above_zero<T: PartialEq + Default>(field: &str, number: Option<T>) -> Result<Option<T>> {
    match number {
        Some(number) if number == T::default() => bail!("{field}: expected a number from 1, found 0"),
        number => Ok(number),
    }
}

fn read_perft(table: &PerftTable) -> Result<PerftPlan> {
    let depth = check_above_zero("perft, depth", table.depth)?;
    let suites = read_suites("perft", &table.suites, |name, text| Ok(PerftSuite::parse(name, text)?))?;
    Ok(PerftPlan { suites, is_default: table.suites.is_empty(), max_depth: depth.unwrap_or(u32::MAX) })
}

fn check_bench(table: BenchTable) -> Result<BenchTable> {
    match (&table.command, &table.uci) {
        (Some(_), Some(_)) => bail!("bench: expected either `command` or `uci`, found both"),
        (None, None) => bail!("bench: expected `command` or `uci`, which runs the bench"),
        _ => Ok(table),
    }
}

fn read_tactics(table: &TacticsTable) -> Result<TacticsPlan> {
    let suites = read_suites("tactics", &table.suites, |name, text| Ok(TacticsSuite::read(name, text)?))?;
    let is_limited = table.movetime.is_some() || table.nodes.is_some() || table.depth.is_some();
    let movetime = if is_limited { table.movetime } else { Some(DEFAULT_MOVETIME) };
    let limits = SearchLimits { movetime, nodes: table.nodes, depth: table.depth, ..SearchLimits::default() };
    limits.validate().context("tactics")?;
    let concurrency = check_above_zero("tactics, concurrency", table.concurrency)?;
    let concurrency = usize::from(concurrency.unwrap_or(1));
    Ok(TacticsPlan { suites, go: limits.go(), concurrency, required: table.required })
}

fn read_speed(table: &SpeedTable) -> Result<SpeedStepPlan> {
    if !(0.0..100.0).contains(&table.tolerance) {
        bail!("speed, tolerance: expected a percentage from 0 to 100, found {}", table.tolerance);
    }
    let positions = SpeedSuite::read_positions(&table.suites).context("speed")?;
    if table.duration < Duration::from_secs(1) {
        bail!("speed, duration: expected at least 1s, found {:?}", table.duration);
    }
    Ok(SpeedStepPlan { positions, duration: table.duration, tolerance: table.tolerance / 100.0 })
}

fn read_match(table: MatchTable) -> Result<MatchPlan> {
    let test = table.test()?;
    table.limits.validate().context("match, limits")?;
    if table.games == 0 || !table.games.is_multiple_of(2) {
        bail!(
            "match, games: expected an even number above 0, because each opening is played twice with colours reversed; found {}",
            table.games
        );
    }
    check_above_zero("match, concurrency", table.concurrency)?;
    let path = table.openings.clone().unwrap_or_else(|| PathBuf::from(books::DEFAULT));
    let book = BookConfig { seed: table.seed, ..BookConfig::of(path) };
    let book = books::settle(book, Changed::Accepted).context("match, openings")?;
    let openings = books::load(&book, Variant::Standard, AskedBy::File)?;
    Ok(MatchPlan { table, test, book, openings })
}

fn read_suites<S>(
    kind: &str,
    named: &[PathBuf],
    parse: impl Fn(&str, &str) -> Result<S>,
) -> Result<Vec<HashedSuite<S>>> {
    let texts = suite_files::read(kind, named).with_context(|| format!("{kind}, suites"))?;
    let printed = |(name, text): &(String, String)| {
        Ok(HashedSuite { suite: parse(name, text)?, sha256: sha256::of_bytes(text.as_bytes()) })
    };
    texts.iter().map(printed).collect()
}
