//! The criteria that decide whether a build is good or bad.

mod bench;
mod games;
mod perft;
mod speed;
mod tactics;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::bisection::Verdict;
use crate::cli::{Blame, CliError};
use crate::engines::sessions;
use crate::run::Series;
use runner::{EngineConfig, RunConfig, SearchLimits};

/// The criterion, with everything that it needs to continue after an interruption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Bad: a perft count is wrong.
    Perft(PerftCriterion),
    /// Bad: a required position that the good one solves is not solved, or significantly fewer positions.
    Tactics(TacticsCriterion),
    /// Bad: slower than the good one by more than `max_slowdown`.
    Speed(SpeedCriterion),
    /// Bad: another bench than the good one.
    Bench,
    /// Bad: the SPRT against the good one accepts H0.
    Match(MatchCriterion),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftCriterion {
    /// The suites; empty for all that ship.
    pub suites: Vec<PathBuf>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TacticsCriterion {
    /// The suites; empty for those of `arbiter tactics`.
    pub suites: Vec<PathBuf>,
    /// Positions searched at the same time.
    pub concurrency: usize,
    /// The limits of each search.
    pub limits: SearchLimits,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCriterion {
    /// The suites; empty for all that ship.
    pub suites: Vec<PathBuf>,
    /// How often the positions are searched at first.
    pub rounds: u32,
    /// The slowdown in percent above which a build is bad.
    #[serde(alias = "slower")]
    pub max_slowdown: f64,
    /// The limits of each search; the default for a fixed time for all searches.
    pub limits: SearchLimits,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchCriterion {
    /// The run, without its engines.
    pub run: Box<RunConfig>,
}

/// The measurements of the good commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The tactics positions in the order of the suites: `+` solved, `-` not solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<String>,
    /// The nodes of its bench.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "signature")]
    pub bench: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct TestedBuild<'a> {
    pub engine: &'a EngineConfig,
    pub good: &'a EngineConfig,
    /// The measurements of the good build; empty while it is tested itself.
    pub reference: &'a Reference,
    /// The folder of the bisection.
    pub folder: &'a Path,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The verdict on the build.
    pub verdict: Verdict,
    /// What the verdict rests on, in words.
    pub evidence: String,
    /// The measurements, for the comparison with later builds.
    pub measured: Reference,
}

impl TestedBuild<'_> {
    /// Whether this is the good build.
    fn is_good(&self) -> bool {
        self.engine == self.good
    }

    /// Starts the good build, where the criterion measures nothing else of it.
    fn check_start(&self) -> Result<TestResult, CliError> {
        sessions::start(self.good).context("the good build").usage()?.quit();
        Ok(TestResult::new(Verdict::Good, "the other commits are compared with it"))
    }
}

impl TestResult {
    fn new(verdict: Verdict, evidence: impl Into<String>) -> TestResult {
        TestResult { verdict, evidence: evidence.into(), measured: Reference::default() }
    }

    /// A build that cannot be tested.
    fn skipped(reason: impl Into<String>) -> TestResult {
        TestResult::new(Verdict::Skipped, reason)
    }
}

impl Criterion {
    /// Tests a build. `None` if the user interrupts.
    pub fn judge(&self, build: &TestedBuild<'_>, series: &Series) -> Result<Option<TestResult>, CliError> {
        match self {
            Criterion::Perft(perft) => perft.judge(build).map(Some),
            Criterion::Tactics(tactics) => tactics.judge(build).map(Some),
            Criterion::Speed(speed) => speed.judge(build).map(Some),
            Criterion::Bench => bench::judge(build).map(Some),
            Criterion::Match(games) => games.judge(build, series),
        }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Criterion::Perft(_) => "perft",
            Criterion::Tactics(_) => "tactics",
            Criterion::Speed(_) => "speed",
            Criterion::Bench => "bench",
            Criterion::Match(_) => "match",
        }
    }
}
