//! The criteria for a bad build; most compare a measurement with the good commit's.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use crate::cli::{CliError, OrExitCode};
use crate::engines::{self, session};
use crate::measure::bench::{self, BenchMethod, BenchSource};
use crate::measure::perft::{self, EngineCounter, PerftSettings};
use crate::measure::speed::{self, SpeedPlan};
use crate::measure::tactics::TacticsSettings;
use crate::measure::{Judgement, MeasureError};
use crate::report::verdict::Judged;
use crate::run::{Series, playing};
use crate::text::number_text::counted;
use runner::{EngineConfig, RunConfig, SearchLimits};

const BENCH_TIMEOUT: Duration = Duration::from_mins(10);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    Perft(PerftSettings),
    Tactics(TacticsSettings),
    Speed(SpeedCriterion),
    Bench,
    /// Bad: the SPRT against the good build accepts H0. `run` has no engines yet.
    Match {
        run: Box<RunConfig>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCriterion {
    pub suites: Vec<PathBuf>,
    pub rounds: u32,
    pub max_slowdown: f64,
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
    /// The measurements of the good build; empty while the good build itself is tested.
    pub reference: &'a Reference,
    pub folder: &'a Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Good,
    Bad,
    Skipped,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    pub verdict: Verdict,
    pub evidence: String,
    pub measured: Reference,
}

impl From<Judgement> for TestResult {
    fn from(judgement: Judgement) -> TestResult {
        let verdict = match judgement.verdict {
            Judged::Better | Judged::Same => Verdict::Good,
            Judged::Worse | Judged::Broken => Verdict::Bad,
            Judged::Skipped | Judged::CannotTell => Verdict::Skipped,
        };
        TestResult::new(verdict, judgement.text())
    }
}

impl TestResult {
    pub fn new(verdict: Verdict, evidence: impl Into<String>) -> TestResult {
        TestResult { verdict, evidence: evidence.into(), measured: Reference::default() }
    }
}

enum Untested {
    Skipped(String),
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

    /// Only starts the good build, for criteria that need no other measurement of it.
    fn check_start(&self) -> Result<TestResult, Untested> {
        session::start(self.good).context("the good build").usage()?.quit();
        Ok(TestResult::new(Verdict::Good, "the other commits are compared with it"))
    }

    fn perft(&self, settings: &PerftSettings) -> Result<TestResult, Untested> {
        let test = settings.read().usage()?;
        let mut counter = EngineCounter::start(self.engine, test.form.clone())?;
        counter.probe().map_err(|error| Untested::Skipped(error.to_string()))?;
        let test = test.without_what_is_skipped(&counter);
        let counts = match test.measure(&mut counter, true) {
            Err(MeasureError::EngineFault(error)) => {
                return Ok(TestResult::new(Verdict::Bad, error.to_string()));
            }
            counts => counts?,
        };
        let mut wrong = counts.iter().flat_map(|suite| &suite.wrong);
        if let Some(of_suite) = wrong.find(|wrong| wrong.mismatch.difference.is_none()) {
            return Err(CliError::Usage(anyhow!(of_suite.text())).into());
        }
        let mut judgement = perft::judge(&counts);
        judgement.details.extend(test.skipped());
        Ok(judgement.into())
    }

    fn tactics(&self, settings: &TacticsSettings) -> Result<TestResult, Untested> {
        let test = settings.read().usage()?;
        let mut solved = test.measure(self.engine, |_, _, _| {})?;
        let marks = solved.marks().into_iter().map(|solved| if solved { '+' } else { '-' });
        let measured = Reference { solved: Some(marks.collect()), ..Reference::default() };
        let good = self.reference.solved.as_deref().unwrap_or_default();
        let good: Vec<Option<bool>> = good.chars().map(|mark| Some(mark == '+')).collect();
        solved.search_again(self.engine, &good)?;
        Ok(TestResult { measured, ..solved.judge(&good, "the good commit").into() })
    }

    fn speed(&self, criterion: &SpeedCriterion) -> Result<TestResult, Untested> {
        if self.is_good() {
            return self.check_start();
        }
        let SpeedCriterion { suites, rounds, max_slowdown, limits } = criterion;
        let plan = SpeedPlan::read(suites, false, limits, *rounds).usage()?;
        let share = max_slowdown / 100.0;
        let report =
            speed::measure([self.engine, self.good], &SpeedPlan { decides: Some(share), ..plan }, |_, _| {})?;
        let too_few = || Untested::Skipped("too few positions for a comparison".to_owned());
        let judgement = report.judge(share, "the good commit").ok_or_else(too_few)?;
        if judgement.verdict != Judged::CannotTell {
            return Ok(judgement.into());
        }
        let advice = report.times_as_long(share).map_or_else(
            || "another --max-slowdown".to_owned(),
            |times| format!("--rounds {}", (times * f64::from(report.rounds)).ceil()),
        );
        Err(Untested::Skipped(format!("{}; {advice} would tell", judgement.sentence)))
    }

    /// Runs the bench; for the good build twice, to check that it is deterministic.
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
        Ok(measure()?.judge(Some((expected, BenchSource::GoodCommit))).into())
    }

    /// Plays against the good build until the SPRT decides. The match has a run folder, so it can be resumed after an
    /// interruption. `None` if the user interrupts.
    fn games(&self, run: &RunConfig, series: &Series) -> Result<Option<TestResult>, Untested> {
        if self.is_good() {
            return self.check_start().map(Some);
        }
        playing::check_alone(run, self.engine).map_err(MeasureError::from)?;
        let mut engines = vec![self.engine.clone(), self.good.clone()];
        engines::make_distinct(&mut engines);
        let config = RunConfig { engines, ..run.clone() };
        let revision = self.engine.revision.as_deref().unwrap_or_default();
        let folder = self.folder.join(format!("match-{}", revision.get(..7).unwrap_or(revision)));
        let played = series.play(&config, &folder)?;
        if played.is_stopped() {
            return Ok(None);
        }
        match Judgement::of_match(&played) {
            Ok(Judgement { verdict: Judged::CannotTell, .. }) if played.summary.plays_alike() => {
                let games = counted(played.summary.games, "game");
                Ok(Some(TestResult::new(
                    Verdict::Good,
                    format!("the same moves as the good commit in all of {games}"),
                )))
            }
            Ok(judgement) => Ok(Some(judgement.into())),
            Err(error) => Err(Untested::Skipped(error.engine_fault()?)),
        }
    }
}
