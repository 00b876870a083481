//! The criteria that decide whether a build is good or bad: a measurement, compared with that of the good commit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::bisection::Verdict;
use crate::cli::{Blame, CliError};
use crate::engines::{self, session};
use crate::judge::with_llr;
use crate::measure::bench::{self, BenchMethod, BenchSource};
use crate::measure::perft::{EngineCounter, PerftSettings, all_correct};
use crate::measure::speed::{self, SpeedPlan};
use crate::measure::tactics::{Solved, TacticsSettings};
use crate::measure::{self, MeasureError};
use crate::report::verdict::{Judged, verdict};
use crate::run::{Played, Series};
use crate::text::listed;
use runner::{EngineConfig, FinishReason, RunConfig, SearchLimits};

/// How often the number of rounds of a speed is doubled while the interval contains the limit.
const DOUBLINGS: u32 = 2;

const BENCH_TIMEOUT: Duration = Duration::from_mins(10);

const MOST_NAMED: usize = 5;

/// The criterion, with everything that it needs to continue after an interruption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Bad: a perft count is wrong.
    Perft(PerftSettings),
    /// Bad: a required position that the good one solves is not solved, or significantly fewer positions.
    Tactics(TacticsSettings),
    /// Bad: slower than the good one by more than `max_slowdown`.
    Speed(SpeedCriterion),
    /// Bad: another bench than the good one.
    Bench,
    /// Bad: the SPRT against the good one accepts H0. The run has no engines yet.
    Match { run: Box<RunConfig> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCriterion {
    /// The suites; empty for all that ship.
    pub suites: Vec<PathBuf>,
    /// How often the positions are searched at first.
    pub rounds: u32,
    /// The slowdown in percent above which a build is bad.
    pub max_slowdown: f64,
    /// The limits of each search; the default for a fixed time for all searches.
    pub limits: SearchLimits,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The tactics positions in the order of the suites: `+` solved, `-` not solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct TestedBuild<'a> {
    pub engine: &'a EngineConfig,
    pub good: &'a EngineConfig,
    /// The measurements of the good build; empty while it is tested itself.
    pub reference: &'a Reference,
    pub folder: &'a Path,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    pub verdict: Verdict,
    /// What the verdict rests on, in words.
    pub evidence: String,
    /// The measurements, for the comparison with later builds.
    pub measured: Reference,
}

impl TestResult {
    pub fn new(verdict: Verdict, evidence: impl Into<String>) -> TestResult {
        TestResult { verdict, evidence: evidence.into(), measured: Reference::default() }
    }
}

/// Why a build has no verdict yet.
enum Untested {
    /// It cannot be measured: the commit is skipped.
    Skipped(String),
    /// The user wants what cannot be done.
    Wrong(CliError),
}

impl From<MeasureError> for Untested {
    fn from(error: MeasureError) -> Untested {
        Untested::Skipped(error.to_string())
    }
}

impl From<CliError> for Untested {
    fn from(error: CliError) -> Untested {
        Untested::Wrong(error)
    }
}

impl Criterion {
    pub fn judge(&self, build: &TestedBuild<'_>, series: &Series) -> Result<Option<TestResult>, CliError> {
        let judged = match self {
            Criterion::Perft(settings) => build.perft(settings).map(Some),
            Criterion::Tactics(settings) => build.tactics(settings).map(Some),
            Criterion::Speed(criterion) => build.speed(criterion).map(Some),
            Criterion::Bench => build.bench().map(Some),
            Criterion::Match { run } => build.games(run, series),
        };
        match judged {
            Ok(result) => Ok(result),
            Err(Untested::Skipped(reason)) => Ok(Some(TestResult::new(Verdict::Skipped, reason))),
            Err(Untested::Wrong(error)) => Err(error),
        }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Criterion::Perft(_) => "perft",
            Criterion::Tactics(_) => "tactics",
            Criterion::Speed(_) => "speed",
            Criterion::Bench => "bench",
            Criterion::Match { .. } => "match",
        }
    }
}

impl TestedBuild<'_> {
    fn is_good(&self) -> bool {
        self.engine == self.good
    }

    /// Starts the good build, where the criterion measures nothing else of it.
    fn check_start(&self) -> Result<TestResult, Untested> {
        session::start(self.good).context("the good build").usage()?.quit();
        Ok(TestResult::new(Verdict::Good, "the other commits are compared with it"))
    }

    /// Counts the positions up to the first wrong count.
    fn perft(&self, settings: &PerftSettings) -> Result<TestResult, Untested> {
        let test = settings.read().usage()?;
        let mut counter = EngineCounter::start(self.engine)?;
        counter.probe().map_err(|error| Untested::Skipped(error.to_string()))?;
        let test = test.without_what_is_skipped(&counter);
        let counts = match test.measure(&mut counter, true) {
            Err(MeasureError::EngineFault(error)) => {
                return Ok(TestResult::new(Verdict::Bad, error.to_string()));
            }
            counts => counts?,
        };
        Ok(match counts.iter().find_map(|suite| Some((suite.wrong.first()?, suite.is_suite_wrong))) {
            Some((wrong, true)) => return Err(CliError::Usage(anyhow!(wrong.clone())).into()),
            Some((wrong, false)) => TestResult::new(Verdict::Bad, wrong),
            None => {
                let skipped = test.skipped().map(|skipped| format!("; {skipped}")).unwrap_or_default();
                TestResult::new(Verdict::Good, all_correct(&counts) + &skipped)
            }
        })
    }

    /// Searches every position, and compares the solved positions with those of the good build.
    fn tactics(&self, settings: &TacticsSettings) -> Result<TestResult, Untested> {
        let test = settings.read().usage()?;
        let solved = test.measure(self.engine, |_, _, _| {})?;
        Ok(judge_tactics(&solved, self.reference.solved.as_deref()))
    }

    /// Measures the build side by side with the good one, with more rounds while the interval contains the limit.
    fn speed(&self, criterion: &SpeedCriterion) -> Result<TestResult, Untested> {
        if self.is_good() {
            return self.check_start();
        }
        let SpeedCriterion { suites, rounds, max_slowdown, limits } = criterion;
        let mut evidence = String::new();
        for doubling in 0..=DOUBLINGS {
            let plan = SpeedPlan::read(suites, false, limits, rounds << doubling).usage()?;
            let report = speed::measure([self.engine, self.good], &plan, |_, _| {})?;
            let too_few = || Untested::Skipped("too few positions for a comparison".to_owned());
            let ratio = report.ratio().ok_or_else(too_few)?;
            evidence = speed::nps_text(ratio, "the good commit");
            if let Some(is_slower) = speed::is_slower(ratio, max_slowdown / 100.0) {
                let verdict = if is_slower { Verdict::Bad } else { Verdict::Good };
                return Ok(TestResult::new(verdict, evidence));
            }
        }
        Err(Untested::Skipped(format!("undecided whether it is {max_slowdown}% slower: {evidence}")))
    }

    /// Runs the bench; that of the good build twice, to check that it is deterministic.
    fn bench(&self) -> Result<TestResult, Untested> {
        let log = self.folder.join("bench.log");
        let method = BenchMethod::Argument { log: &log };
        let measure = || bench::measure(self.engine, method, BENCH_TIMEOUT);
        if self.is_good() {
            let first = measure().usage()?;
            if let Some(problem) = bench::differs_again(self.engine, method, BENCH_TIMEOUT, first).usage()? {
                let problem = anyhow!(
                    "--by bench: expected the same bench in two runs of the good build, but {problem}"
                );
                return Err(CliError::Usage(problem).into());
            }
            let measured = Reference { bench: Some(first.nodes), ..Reference::default() };
            return Ok(TestResult { measured, ..TestResult::new(Verdict::Good, first.text()) });
        }
        let expected = self.reference.bench.unwrap_or_default();
        let (is_same, evidence) = measure()?.compare(expected, BenchSource::GoodCommit);
        Ok(TestResult::new(if is_same { Verdict::Good } else { Verdict::Bad }, evidence))
    }

    /// Plays against the good build until the SPRT decides. The match has a run folder, so that it continues after an
    /// interruption. `None` if the user interrupts.
    fn games(&self, run: &RunConfig, series: &Series) -> Result<Option<TestResult>, Untested> {
        if self.is_good() {
            return self.check_start().map(Some);
        }
        measure::start(self.engine)?;
        let mut engines = vec![self.engine.clone(), self.good.clone()];
        engines::make_distinct(&mut engines);
        let config = RunConfig { engines, ..run.clone() };
        let revision = self.engine.revision.as_deref().unwrap_or_default();
        let folder = self.folder.join(format!("match-{}", revision.get(..7).unwrap_or(revision)));
        let Played { summary, reason } = series.play(&config, &folder)?;
        let evidence = with_llr(verdict(&summary), &summary);
        match reason {
            FinishReason::Requested | FinishReason::GamesMissing => Ok(None),
            FinishReason::FileChanged { detail } => Err(CliError::Usage(anyhow!(detail)).into()),
            FinishReason::EngineDoesNotStart { engine: 0, detail } => Err(Untested::Skipped(detail)),
            FinishReason::EngineDoesNotStart { detail, .. } => {
                Err(CliError::Usage(anyhow!("the good build: {detail}")).into())
            }
            reason => match Judged::of_run(&summary, &reason) {
                Judged::Better => Ok(Some(TestResult::new(Verdict::Good, evidence))),
                Judged::Worse => Ok(Some(TestResult::new(Verdict::Bad, evidence))),
                _ => Err(Untested::Skipped(format!("the SPRT is undecided: {evidence}"))),
            },
        }
    }
}

/// Compares the solved positions with the marks of the good build.
fn judge_tactics(solved: &Solved<'_>, good: Option<&str>) -> TestResult {
    let marks = solved.marks.iter().map(|solved| if *solved { '+' } else { '-' });
    let measured = Reference { solved: Some(marks.collect()), ..Reference::default() };
    let other: Vec<Option<bool>> = good.unwrap_or_default().chars().map(|mark| Some(mark == '+')).collect();
    let change = solved.compare(&other);
    let verdict = if change.is_regression() { Verdict::Bad } else { Verdict::Good };
    let mut evidence = solved.total() + &change.text("the good commit");
    for (word, names) in [("required but not solved", &change.all_missed()), ("lost", &change.lost)] {
        if !names.is_empty() {
            let _ = write!(evidence, "; {word}: {}", listed(names, MOST_NAMED));
        }
    }
    TestResult { verdict, evidence, measured }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::suite_files::HashedSuite;
    use crate::measure::tactics::{TacticsSuite, TacticsTest};

    #[test]
    fn a_build_with_a_significant_loss_or_without_a_required_position_is_bad() {
        let line = |number: usize| {
            let required = if number == 0 { "c9 \"required\";" } else { "" };
            format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"n{number}\"; {required}\n")
        };
        let suite = TacticsSuite::parse("a.epd", &(0..8).map(line).collect::<String>()).unwrap();
        let suites = vec![HashedSuite { suite, sha256: String::new() }];
        let go = SearchLimits::default().go();
        let test = TacticsTest { suites, go, concurrency: 1, all_required: false };
        let judged = |solved: &str, good: Option<&str>| {
            let marks = solved.chars().map(|mark| mark == '+').collect();
            judge_tactics(&Solved { test: &test, marks }, good)
        };
        let first = judged("+-++++++", None);
        assert_eq!((first.verdict, first.evidence.as_str()), (Verdict::Good, "7 of 8 positions solved"));
        assert_eq!(first.measured.solved.as_deref(), Some("+-++++++"));
        let few = "2 of 8 positions solved, 6 lost and 1 gained since the good commit (p = 0.125, not significant); \
                   lost: n2, n3, n4, n5, n6 and 1 more";
        let missed = "7 of 8 positions solved, 1 lost and 0 gained since the good commit (p = 1.000, not \
                      significant); required but not solved: n0; lost: n0";
        for (solved, good, verdict, evidence) in [
            ("++------", Some("+-++++++"), Verdict::Good, few),
            ("+-------", Some("+-++++++"), Verdict::Bad, "p = 0.031, significant"),
            ("-+++++++", None, Verdict::Good, "7 of 8 positions solved"),
            ("-+++++++", Some("-+++++++"), Verdict::Good, "the same as in the good commit"),
            ("-+++++++", Some("++++++++"), Verdict::Bad, missed),
        ] {
            let result = judged(solved, good);
            assert_eq!(result.verdict, verdict, "{result:?}");
            assert!(result.evidence.contains(evidence), "{result:?}");
        }
    }
}
