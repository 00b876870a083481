//! What is to be asked, looked up and checked before the first engine is started.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::ci_file::{BenchTable, CiFile, MatchTable, PerftTable, ProtocolTable, SpeedTable, TacticsTable};
use super::kept_baseline::KeptBaseline;
use super::step::Step;
use crate::engines::{EngineSource, EngineSpec};
use crate::evidence::bench;
use crate::files::{sha256, suite_files};
use crate::matches::{AskedBy, Changed, books};
use crate::perft::PerftSuite;
use crate::speed::SpeedSuite;
use crate::tactics::TacticsSuite;
use referee::Variant;
use referee::openings::Book;
use runner::BookConfig;
use stats::Sprt;
use uci::Go;

/// The time for a tactical position when the file gives no limit.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

/// What was asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Another build of the engine.
    pub engine: Option<EngineSpec>,
    /// Another build to be held against.
    pub against: Option<EngineSpec>,
    /// The only steps, if any are named.
    pub only: Vec<Step>,
    /// Steps that are left out.
    pub skip: Vec<Step>,
    /// Whether the baseline is to be made anew.
    pub update_baseline: bool,
}

/// Everything that is asked about one build.
#[derive(Debug)]
pub struct CiPlan {
    /// The steps in their order.
    pub steps: Vec<Step>,
    /// What the engine is called, whatever the build.
    pub name: String,
    /// The build in question.
    pub engine: EngineSpec,
    /// The build that speed and games are measured against.
    pub against: Option<EngineSpec>,
    /// What is expected.
    pub baseline: KeptBaseline,
    /// Whether the baseline is made anew: then nothing is held against it.
    pub update_baseline: bool,
    /// The check of the protocol.
    pub protocol: Option<ProtocolTable>,
    /// The counts of legal moves.
    pub perft: Option<PerftPlan>,
    /// The signature of the search.
    pub bench: Option<BenchTable>,
    /// The tactical positions.
    pub tactics: Option<TacticsPlan>,
    /// The node speed.
    pub speed: Option<SpeedStepPlan>,
    /// The games.
    pub games: Option<MatchPlan>,
}

/// A suite and its fingerprint.
#[derive(Clone, Debug)]
pub struct Printed<S> {
    /// The suite.
    pub suite: S,
    /// The SHA-256 of its text in hexadecimal.
    pub sha256: String,
}

/// The perft step.
#[derive(Clone, Debug)]
pub struct PerftPlan {
    /// The suites.
    pub suites: Vec<Printed<PerftSuite>>,
    /// Count no deeper than this, in plies.
    pub max_depth: u32,
}

/// The tactics step.
#[derive(Clone, Debug)]
pub struct TacticsPlan {
    /// The suites.
    pub suites: Vec<Printed<TacticsSuite>>,
    /// The limit of a search.
    pub go: Go,
    /// Positions searched at once.
    pub concurrency: usize,
}

/// The speed step.
#[derive(Clone, Debug)]
pub struct SpeedStepPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// How long to measure, about.
    pub duration: Duration,
    /// A loss that is accepted, as a share of the speed.
    pub tolerance: f64,
}

/// The match step.
#[derive(Debug)]
pub struct MatchPlan {
    /// What the file says.
    pub table: MatchTable,
    /// The sequential test.
    pub test: Sprt,
    /// The book as a run records it.
    pub book: BookConfig,
    /// The book.
    pub openings: Book,
}

impl CiPlan {
    /// Looks everything up: suites, book, baseline.
    ///
    /// # Errors
    /// Something is not there, or does not go together. Nothing has been started.
    pub fn new(file: CiFile, path: &Path, wishes: Wishes) -> Result<CiPlan> {
        let steps = chosen_steps(&file, path, &wishes)?;
        let place = path.display();
        let is_asked = |step: Step| steps.contains(&step);
        let name = name_of(&file.engine.0);
        let usual = || KeptBaseline::usual_path(&name);
        let baseline = KeptBaseline::read(file.baseline.clone().unwrap_or_else(usual))?;
        if let (Some(_), Some(table)) =
            (&wishes.engine, file.bench.as_ref().filter(|_| is_asked(Step::Bench)))
            && table.command.as_ref().is_some_and(|command| !command.contains(bench::PROGRAM))
        {
            bail!(
                "{place}: bench, command: expected `{}` in it for the program, since --engine names another build",
                bench::PROGRAM
            );
        }
        let engine = wishes.engine.unwrap_or_else(|| file.engine.0.clone());
        let against = wishes.against.or(file.against.map(|against| against.0));
        let against = against.or_else(|| build_of(&file.engine.0, &baseline));
        let plan = || {
            Ok(CiPlan {
                against: against.filter(|_| !wishes.update_baseline),
                update_baseline: wishes.update_baseline,
                protocol: file.protocol.filter(|_| is_asked(Step::Protocol)),
                perft: file.perft.as_ref().filter(|_| is_asked(Step::Perft)).map(read_perft).transpose()?,
                bench: file.bench.filter(|_| is_asked(Step::Bench)).map(check_bench).transpose()?,
                tactics: file
                    .tactics
                    .as_ref()
                    .filter(|_| is_asked(Step::Tactics))
                    .map(read_tactics)
                    .transpose()?,
                speed: file.speed.as_ref().filter(|_| is_asked(Step::Speed)).map(read_speed).transpose()?,
                games: file.games.filter(|_| is_asked(Step::Match)).map(read_match).transpose()?,
                steps: steps.clone(),
                name,
                engine,
                baseline,
            })
        };
        let plan: Result<CiPlan> = plan();
        let plan = plan.with_context(|| place.to_string())?;
        if plan.games.is_some() && plan.against.is_none() {
            bail!(
                "{place}: match: expected `against = \"ENGINE\"` or --against, a build to play; {} names no commit \
                 that one could be built from",
                plan.baseline.path.display()
            );
        }
        plan.check_baseline().with_context(|| plan.baseline.path.display().to_string())?;
        Ok(plan)
    }

    /// A baseline of another engine or from other suites is refused, unless it is to be made anew.
    fn check_baseline(&self) -> Result<()> {
        let Some(known) = self.baseline.known.as_ref().filter(|_| !self.update_baseline) else {
            return Ok(());
        };
        known.check_engine(&self.name)?;
        for Printed { suite, sha256 } in self.perft.iter().flat_map(|perft| &perft.suites) {
            known.check_perft(&suite.name, sha256)?;
        }
        if let Some(tactics) = &self.tactics {
            for Printed { suite, sha256 } in &tactics.suites {
                known.check_tactics(&suite.name, sha256, &tactics.go.to_string())?;
            }
        }
        Ok(())
    }
}

/// The steps that the file asks, less those that were not chosen. To choose one that the file does not have is an
/// error.
fn chosen_steps(file: &CiFile, path: &Path, wishes: &Wishes) -> Result<Vec<Step>> {
    let mut steps = file.steps();
    let place = path.display();
    if steps.is_empty() {
        bail!("{place}: expected at least one of {}", Step::ALL.map(|step| format!("[{step}]")).join(", "));
    }
    for (option, named) in [("--only", &wishes.only), ("--skip", &wishes.skip)] {
        if let Some(step) = named.iter().find(|step| !steps.contains(step)) {
            bail!("{option} {step}: expected [{step}] in {place}, found none");
        }
    }
    steps.retain(|step| !wishes.skip.contains(step));
    steps.retain(|step| wishes.only.is_empty() || wishes.only.contains(step));
    // Games are no part of a baseline.
    steps.retain(|step| !(wishes.update_baseline && *step == Step::Match));
    if steps.is_empty() {
        bail!("{place}: no step is left to be asked");
    }
    Ok(steps)
}

/// What an engine is called, whatever the build.
fn name_of(engine: &EngineSpec) -> String {
    match &engine.source {
        EngineSource::Name(name) | EngineSource::Revision { name, .. } => name.clone(),
        EngineSource::Path(path) => {
            path.file_stem().map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

/// The build that a baseline is of, where it can be built again.
fn build_of(engine: &EngineSpec, baseline: &KeptBaseline) -> Option<EngineSpec> {
    let EngineSource::Name(name) = &engine.source else { return None };
    let revision = baseline.known.as_ref()?.revision.clone()?;
    let source = EngineSource::Revision { name: name.clone(), revision };
    Some(EngineSpec { source, ..engine.clone() })
}

fn read_perft(table: &PerftTable) -> Result<PerftPlan> {
    let suites = read_suites("perft", &table.suites, |name, text| Ok(PerftSuite::parse(name, text)?))?;
    Ok(PerftPlan { suites, max_depth: table.depth.unwrap_or(u32::MAX) })
}

fn check_bench(table: BenchTable) -> Result<BenchTable> {
    match (&table.command, &table.uci) {
        (Some(_), Some(_)) => bail!("bench: expected either `command` or `uci`, found both"),
        (None, None) => bail!("bench: expected `command` or `uci`, to say how the engine is asked"),
        _ => Ok(table),
    }
}

fn read_tactics(table: &TacticsTable) -> Result<TacticsPlan> {
    let suites = read_suites("tactics", &table.suites, |name, text| Ok(TacticsSuite::parse(name, text)?))?;
    let movetime = table.movetime_ms.map(Duration::from_millis);
    let is_limited = movetime.is_some() || table.nodes.is_some() || table.depth.is_some();
    let movetime = if is_limited { movetime } else { Some(DEFAULT_MOVETIME) };
    let go = Go { movetime, nodes: table.nodes, depth: table.depth, ..Go::default() };
    Ok(TacticsPlan { suites, go, concurrency: usize::from(table.concurrency.unwrap_or(1).max(1)) })
}

fn read_speed(table: &SpeedTable) -> Result<SpeedStepPlan> {
    if !(0.0..100.0).contains(&table.tolerance) {
        bail!("speed, tolerance: expected a percentage from 0 to 100, found {}", table.tolerance);
    }
    let positions = SpeedSuite::read_positions(&table.suites).context("speed")?;
    let duration = Duration::from_secs(table.seconds.max(1));
    Ok(SpeedStepPlan { positions, duration, tolerance: table.tolerance / 100.0 })
}

fn read_match(table: MatchTable) -> Result<MatchPlan> {
    let test = table.test()?;
    table.limits.validate().context("match, limits")?;
    if table.games == 0 || !table.games.is_multiple_of(2) {
        bail!(
            "match, games: expected an even number above zero, since each opening is played with both colours, found {}",
            table.games
        );
    }
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
) -> Result<Vec<Printed<S>>> {
    let texts = suite_files::read(kind, named).with_context(|| format!("{kind}, suites"))?;
    let printed = |(name, text): &(String, String)| {
        Ok(Printed { suite: parse(name, text)?, sha256: sha256::of_bytes(text.as_bytes()) })
    };
    texts.iter().map(printed).collect()
}
