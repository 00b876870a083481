//! The steps that measure a build: each a measurement, its comparison with the baseline, and what it says.

use std::fmt::Write as _;
use std::fs::File;

use anyhow::{Result, anyhow, bail};

use super::baseline::Baseline;
use super::ci_file::{BenchTable, ProtocolTable};
use super::ci_run::Builds;
use super::command::GitState;
use super::plan::SpeedStepPlan;
use super::step::{CheckOutcome, Step, StepResult};
use crate::cli::{Blame, CliError};
use crate::engines::EngineSession;
use crate::measure::MeasureError;
use crate::measure::bench::{self, BenchMethod, BenchRecord, BenchSource};
use crate::measure::perft::{EngineCounter, MoveCounter, PerftTest, all_correct};
use crate::measure::protocol::{Finding, Verdict, check_protocol};
use crate::measure::speed::{self, SpeedRecord};
use crate::measure::tactics::{Solved, TacticsCsv, TacticsTest};
use crate::report::verdict::Judged;
use crate::text::listed;
use crate::text::number_text::counted;
use referee::Variant;
use runner::EngineConfig;
use stats::PairedRatio;

const MOST_WRONG: usize = 5;

const MOST_NAMED: usize = 8;

/// Runs the checks of `arbiter check`. A check that fails is an engine fault, unless `may_fail` lists it.
pub fn protocol(table: &ProtocolTable, engine: &EngineConfig) -> Result<StepResult, CliError> {
    let findings = check_protocol(engine, |_| {}).fault()?;
    Ok(judge_protocol(table, &findings))
}

fn judge_protocol(table: &ProtocolTable, findings: &[Finding]) -> StepResult {
    let may_fail = |finding: &&Finding| table.may_fail.iter().any(|name| name == finding.check);
    let count = |verdict| findings.iter().filter(|finding| finding.outcome.verdict == verdict).count();
    let failed = || findings.iter().filter(|finding| finding.outcome.verdict == Verdict::Fail);
    let fatal: Vec<&Finding> = failed().filter(|finding| !may_fail(finding)).collect();
    let [passed, warned] = [Verdict::Pass, Verdict::Warn].map(count);
    let tolerated = failed().count() - fatal.len();
    let passed = counted(passed as u64, "check");
    let mut sentence = format!("{passed} passed, {warned} with a warning, {} failed", fatal.len());
    if tolerated > 0 {
        let _ = write!(sentence, ", {tolerated} failed but allowed by may_fail");
    }
    let verdict = if fatal.is_empty() { Judged::Same } else { Judged::Broken };
    let mut result = StepResult::new(Step::Protocol, verdict, sentence);
    let noisy = findings.iter().filter(|finding| finding.is_noise());
    for finding in fatal.iter().copied().chain(noisy) {
        result = result.detail(format!("{}: {}", finding.check, described(finding)));
    }
    for finding in findings {
        let outcome = match finding.outcome.verdict {
            Verdict::Pass | Verdict::Warn => CheckOutcome::Passed,
            Verdict::Skip => CheckOutcome::Skipped(described(finding)),
            Verdict::Fail if may_fail(&finding) => CheckOutcome::Skipped(described(finding)),
            Verdict::Fail => CheckOutcome::Failed(described(finding)),
        };
        result = result.check(finding.check, outcome);
    }
    result
}

fn described(finding: &Finding) -> String {
    let seen = finding.outcome.seen.as_ref().map(|seen| format!(" ({seen})")).unwrap_or_default();
    format!("{}{seen}", finding.outcome.sentence)
}

/// Checks that an engine supports perft, before the first step. Without Chess960 it is not asked for the suites of that
/// which the file does not name.
pub fn check_perft(session: EngineSession, engine: &str, test: PerftTest) -> Result<PerftTest> {
    let mut counter = EngineCounter::new(engine, session);
    counter.probe().map_err(|error| {
        anyhow!("perft: {error}; remove [perft] from arbiter.toml, or add `--skip perft`")
    })?;
    let test = test.without_what_is_skipped(&counter);
    let mut suites = test.suites.iter().map(|suite| &suite.suite);
    if !counter.plays(Variant::Chess960)
        && let Some(suite) = suites.find(|suite| suite.has_chess960())
    {
        let name = &suite.name;
        bail!("perft, suites: {name} is of Chess960; engine {engine} has no option UCI_Chess960");
    }
    test.note_skipped(engine);
    Ok(test)
}

/// Counts every position of the suites; those that are counted correctly are for the baseline.
pub fn perft(
    test: &PerftTest,
    engine: &EngineConfig,
    measured: &mut Baseline,
) -> Result<StepResult, CliError> {
    let counts = EngineCounter::start(engine).and_then(|mut counter| test.measure(&mut counter, false));
    let counts = match counts {
        Ok(counts) => counts,
        Err(error) => return StepResult::broken(Step::Perft, error, "counts"),
    };
    let mut result = StepResult::new(Step::Perft, Judged::Same, all_correct(&counts));
    for suite in &counts {
        let is_correct = suite.wrong.is_empty();
        result =
            result.check(suite.record.suite.clone(), CheckOutcome::of(is_correct, || suite.wrong.join("\n")));
        measured.perft.extend(is_correct.then(|| suite.record.clone()));
    }
    let positions: usize = counts.iter().map(|suite| suite.record.positions).sum();
    let wrong: Vec<String> = counts.into_iter().flat_map(|suite| suite.wrong).collect();
    if !wrong.is_empty() {
        result.verdict = Judged::Worse;
        result.sentence =
            format!("{} of {} with a wrong count", wrong.len(), counted(positions as u64, "position"));
        result.details = wrong.into_iter().take(MOST_WRONG).collect();
    }
    Ok(result)
}

/// Runs the engine's bench and compares its nodes with the newest commit message that states a bench, or else with the
/// baseline.
pub fn bench(
    table: &BenchTable,
    engine: &EngineConfig,
    git: Option<&GitState>,
    baseline: Option<&Baseline>,
    measured: &mut Baseline,
) -> Result<StepResult, CliError> {
    let nodes = &table.nodes.0;
    let method = match &table.command {
        Some(command) => BenchMethod::Shell { command, nodes },
        None => BenchMethod::Uci { line: table.uci.as_deref().unwrap_or_default(), nodes },
    };
    let record = match bench::measure(engine, method, table.timeout) {
        Ok(record) => record,
        Err(error) => return StepResult::broken(Step::Bench, error, "bench nodes"),
    };
    measured.bench = Some(record);
    let of_commit = table.commit_pattern.as_ref().and_then(|pattern| git?.stated_bench(&pattern.0));
    let of_baseline = baseline.and_then(|known| known.bench);
    let expected = of_commit
        .map(|nodes| (nodes, BenchSource::CommitMessage))
        .or_else(|| of_baseline.map(|bench| (bench.nodes, BenchSource::Baseline)));
    let mut result = judge_bench(record, expected);
    if result.verdict == Judged::Worse {
        match bench::differs_again(engine, method, table.timeout, record) {
            Ok(None) => {}
            Ok(Some(difference)) => result.details = vec![difference],
            Err(error) => return StepResult::broken(Step::Bench, error, "bench nodes"),
        }
    }
    Ok(result.check_as_a_whole("bench nodes"))
}

fn judge_bench(record: BenchRecord, expected: Option<(u64, BenchSource)>) -> StepResult {
    let Some((expected, source)) = expected else {
        return StepResult::new(Step::Bench, Judged::Same, record.text());
    };
    let (is_same, sentence) = record.compare(expected, source);
    if is_same {
        return StepResult::new(Step::Bench, Judged::Same, sentence);
    }
    let then = match source {
        BenchSource::CommitMessage => "state the new bench in the commit message",
        BenchSource::Baseline | BenchSource::GoodCommit => "run `arbiter ci --update-baseline`",
    };
    StepResult::new(Step::Bench, Judged::Worse, sentence)
        .detail(format!("the search has changed; if you intended this, {then}"))
}

/// Searches every position. It is a regression if a required position is not solved, or if significantly fewer positions
/// are solved than in the baseline.
pub fn tactics(
    test: &TacticsTest,
    engine: &EngineConfig,
    baseline: Option<&Baseline>,
    csv: &mut TacticsCsv<File>,
    measured: &mut Baseline,
) -> Result<StepResult, CliError> {
    let mut fault = None;
    let mut written = Ok(());
    let solved = test.measure(engine, |suite, position, result| {
        if let Err(error) = &result {
            // The first fault is reported.
            fault.get_or_insert_with(|| {
                anyhow!("{} ({}:{}): {error}", position.id, suite.name, position.line)
            });
        }
        if written.is_ok() {
            written = csv.write(&engine.name, &suite.name, position, result.ok().as_ref());
        }
    });
    written.fault()?;
    let judged = solved.and_then(|solved| {
        measured.tactics = solved.records();
        fault.map_or(Ok(()), |fault| Err(MeasureError::EngineFault(fault)))?;
        Ok(judge_tactics(&solved, baseline))
    });
    judged.or_else(|error| StepResult::broken(Step::Tactics, error, "searches"))
}

fn judge_tactics(solved: &Solved<'_>, baseline: Option<&Baseline>) -> StepResult {
    let change = solved.compare(&baseline.map(|known| solved.marks_of(&known.tactics)).unwrap_or_default());
    let verdict = if change.is_regression() { Judged::Worse } else { Judged::Same };
    let sentence = solved.total() + &change.text("the baseline");
    let mut result = StepResult::new(Step::Tactics, verdict, sentence);
    let missed = change.all_missed();
    for (word, names) in
        [("required but not solved", &missed), ("lost", &change.lost), ("gained", &change.found)]
    {
        if !names.is_empty() {
            result = result.detail(format!("{word}: {}", listed(names, MOST_NAMED)));
        }
    }
    // What a first baseline is accepted with.
    let marked = solved.missed_of_marked();
    if baseline.is_none() && missed.is_empty() && !marked.is_empty() {
        let (count, names) = (marked.len(), listed(&marked, MOST_NAMED));
        result = result.detail(format!("{count} marked as required in a suite, but not solved: {names}"));
    }
    for (suite, missed) in &change.missed {
        let outcome = CheckOutcome::of(missed.is_empty(), || format!("not solved: {}", missed.join(", ")));
        result = result.check(format!("{suite}: required positions"), outcome);
    }
    if !change.has_other {
        return result;
    }
    let sentence = result.sentence.clone();
    result.check("no loss from the baseline", CheckOutcome::of(!change.is_significant_loss(), || sentence))
}

/// Measures the speed, side by side with the other build if there is one. Only a comparison side by side can fail: the
/// speed of the baseline was measured at another time, so the difference is only shown, and a speed of another machine
/// is not compared.
pub fn speed(
    step: &SpeedStepPlan,
    builds: &Builds,
    baseline: Option<&Baseline>,
    machine: &str,
    measured: &mut Baseline,
) -> Result<StepResult, CliError> {
    let engines = [Some(&builds.engine), builds.other()].into_iter().flatten();
    let report = match speed::measure(engines, &step.plan, |_, _| {}) {
        Ok(report) => report,
        Err(error) => return StepResult::broken(Step::Speed, error, "NPS"),
    };
    let record = SpeedRecord::of(&report, machine);
    let mut result = if let Some(ratio) = report.ratio() {
        judge_speed(ratio, step.tolerance, &report.engines[1].name)
    } else {
        let known = baseline.and_then(|known| known.speed.as_ref());
        StepResult::new(Step::Speed, Judged::Same, record.text(known))
    };
    measured.speed = Some(record);
    result.details.extend(report.warnings().iter().map(|doubt| format!("warning: {doubt}")));
    Ok(result.check_as_a_whole("NPS"))
}

/// A regression if the whole interval is below the accepted loss.
fn judge_speed(ratio: &PairedRatio, tolerance: f64, other: &str) -> StepResult {
    let is_slower = speed::is_slower(ratio, tolerance) == Some(true);
    let verdict = if is_slower { Judged::Worse } else { Judged::Same };
    StepResult::new(Step::Speed, verdict, speed::nps_text(ratio, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::protocol::Outcome;

    #[test]
    fn a_check_that_may_fail_does_not_break_the_engine() {
        let finding = |check, verdict| Finding {
            check,
            outcome: Outcome { verdict, sentence: "it is so".to_owned(), seen: None },
        };
        let findings = [finding("info", Verdict::Pass), finding("go ponder", Verdict::Fail)];
        let strict = judge_protocol(&ProtocolTable::default(), &findings);
        assert_eq!(strict.verdict, Judged::Broken);
        assert_eq!(strict.details, ["go ponder: it is so"]);
        let lenient = judge_protocol(&ProtocolTable { may_fail: vec!["go ponder".to_owned()] }, &findings);
        assert_eq!(lenient.verdict, Judged::Same);
        assert_eq!(
            lenient.sentence,
            "1 check passed, 0 with a warning, 0 failed, 1 failed but allowed by may_fail"
        );
        assert_eq!(lenient.checks.len(), 2);
    }

    #[test]
    fn a_bench_that_differs_from_the_expected_one_is_a_regression() {
        let verdict = |expected| judge_bench(BenchRecord { nodes: 5 }, expected).verdict;
        assert_eq!(verdict(None), Judged::Same);
        for source in [BenchSource::CommitMessage, BenchSource::Baseline] {
            assert_eq!(verdict(Some((5, source))), Judged::Same);
            assert_eq!(verdict(Some((6, source))), Judged::Worse);
        }
    }

    #[test]
    fn only_a_clear_loss_beyond_the_tolerance_is_a_regression() {
        let verdict = |lower, upper| {
            let ratio = PairedRatio { ratio: f64::midpoint(lower, upper), lower, upper, is_sure: true };
            judge_speed(&ratio, 0.02, "old").verdict
        };
        assert_eq!(verdict(0.90, 0.97), Judged::Worse);
        assert_eq!(verdict(0.90, 0.99), Judged::Same);
        assert_eq!(verdict(1.05, 1.06), Judged::Same);
    }
}
