//! The steps that measure a build, record the measurements and compare them with the baseline.

use std::fs::File;

use anyhow::{Result, anyhow, bail};

use super::baseline::Baseline;
use super::builds::{Builds, GitState};
use super::ci_file::BenchTable;
use super::ci_plan::SpeedStepPlan;
use crate::cli::{CliError, OrExitCode};
use crate::engines::EngineSession;
use crate::measure::bench::{self, BenchMethod, BenchSource};
use crate::measure::perft::{self, EngineCounter, MoveCounter, PerftTest};
use crate::measure::speed::{self, SpeedRecord};
use crate::measure::tactics::{TacticsRow, TacticsTest};
use crate::measure::{Judgement, MeasureError};
use crate::report::verdict::Judged;
use crate::text::CsvRows;
use referee::Variant;
use runner::EngineConfig;

/// Checks before the first step that an engine supports perft. An engine without Chess960 skips Chess960 suites; it is an
/// error if the file names one.
pub fn check_perft(session: EngineSession, engine: &str, test: PerftTest) -> Result<PerftTest> {
    let mut counter = EngineCounter::new(engine, session, test.form.clone());
    counter.probe().map_err(|error| {
        anyhow!("perft: {error}; remove [perft] from arbiter.toml, or add `--skip perft`")
    })?;
    let test = test.without_what_is_skipped(&counter);
    let mut suites = test.suites.iter();
    if !counter.plays(Variant::Chess960)
        && let Some(suite) = suites.find(|suite| suite.has_chess960())
    {
        let name = &suite.name;
        bail!("perft, suites: {name} is of Chess960; engine {engine} has no option UCI_Chess960");
    }
    test.note_skipped(engine);
    Ok(test)
}

/// Counts every position of the suites and records the suites without errors.
pub fn perft(
    test: &PerftTest,
    engine: &EngineConfig,
    measured: &mut Baseline,
) -> Result<Judgement, MeasureError> {
    let counts = test.measure(&mut EngineCounter::start(engine, test.form.clone())?, false)?;
    let correct = counts.iter().filter(|suite| suite.wrong.is_empty());
    measured.perft.extend(correct.map(|suite| suite.record.clone()));
    Ok(perft::judge(&counts))
}

/// Runs the engine's bench and compares its nodes with the newest commit message that states a bench, or with the baseline
/// if none does.
pub fn bench(
    table: &BenchTable,
    engine: &EngineConfig,
    git: Option<&GitState>,
    baseline: Option<&Baseline>,
    measured: &mut Baseline,
) -> Result<Judgement, MeasureError> {
    let nodes = &table.nodes.0;
    let method = match &table.command {
        Some(command) => BenchMethod::Shell { command, nodes },
        None => BenchMethod::Uci { line: table.uci.as_deref().unwrap_or_default(), nodes },
    };
    let record = bench::measure(engine, method, table.timeout)?;
    measured.bench = Some(record);
    let of_commit = table.commit_pattern.as_ref().and_then(|pattern| git?.stated_bench(&pattern.0));
    let of_baseline = baseline.and_then(|known| known.bench);
    let expected = of_commit
        .map(|nodes| (nodes, BenchSource::CommitMessage))
        .or_else(|| of_baseline.map(|bench| (bench.nodes, BenchSource::Baseline)));
    let mut judgement = record.judge(expected);
    if judgement.verdict == Judged::Worse
        && let Some(difference) = bench::differs_again(engine, method, table.timeout, record)?
    {
        judgement.details = vec![difference];
    }
    Ok(judgement.check_as_a_whole("bench nodes"))
}

pub fn tactics(
    test: &TacticsTest,
    engine: &EngineConfig,
    baseline: Option<&Baseline>,
    csv: &mut CsvRows<File>,
    measured: &mut Baseline,
) -> Result<Judgement, CliError> {
    let mut fault = None;
    let mut written = Ok(());
    let solved = test.measure(engine, |suite, position, result| {
        if let Err(error) = result {
            // Only the first fault is reported.
            fault.get_or_insert_with(|| {
                anyhow!("{} ({}:{}): {error}", position.id, suite.name, position.line)
            });
        }
        if written.is_ok() {
            let found = (&*suite.name, position, result.as_ref().ok());
            written = csv.write(TacticsRow::new(&engine.name, found));
        }
    });
    written.fault()?;
    let judged = solved.and_then(|mut solved| {
        measured.tactics = solved.records();
        fault.map_or(Ok(()), |fault| Err(MeasureError::EngineFault(fault)))?;
        let known = baseline.map(|known| solved.marks_of(&known.tactics)).unwrap_or_default();
        solved.search_again(engine, &known)?;
        Ok(solved.judge(&known, "the baseline"))
    });
    judged.or_else(|error| error.judgement("searches"))
}

/// Measures the speed, side by side with the other build if there is one. Only a clear loss in a side-by-side comparison
/// can fail. The baseline's speed was measured at another time, so the difference is only shown, and it is not compared if
/// the baseline comes from another machine.
pub fn speed(
    step: &SpeedStepPlan,
    builds: &Builds,
    baseline: Option<&Baseline>,
    machine: &str,
    measured: &mut Baseline,
) -> Result<Judgement, MeasureError> {
    let engines = [Some(&builds.engine), builds.other()].into_iter().flatten();
    let report = speed::measure(engines, &step.plan, |_, _| {})?;
    let record = SpeedRecord::of(&report, machine);
    let known = || baseline.and_then(|known| known.speed.as_ref());
    let mut judgement = report
        .judge(step.tolerance, builds.other().map_or("", |other| &other.name))
        .unwrap_or_else(|| Judgement::new(Judged::Same, record.text(known())));
    if judgement.verdict == Judged::CannotTell {
        let longer = |times: f64| {
            let seconds = step.plan.duration.as_secs_f64() * f64::from(report.rounds) * times;
            format!("duration = \"{}s\"", seconds.ceil())
        };
        let advice = report.times_as_long(step.tolerance).map_or("another tolerance".to_owned(), longer);
        judgement.details.push(format!("{advice} in [speed] would tell"));
    }
    measured.speed = Some(record);
    if !report.limit.starts_with("go nodes") {
        judgement.details.push(format!("searches by `{}`", report.limit));
    }
    judgement.details.extend(report.warnings().iter().map(|doubt| format!("warning: {doubt}")));
    Ok(judgement.check_as_a_whole("NPS"))
}
