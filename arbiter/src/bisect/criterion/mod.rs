//! What makes a build good or bad.

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
use crate::matches::Series;
use runner::{EngineConfig, RunConfig, SearchLimits};

/// What decides, with everything that it needs to decide the same way after an interruption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Bad is what counts moves wrong.
    Perft(PerftCriterion),
    /// Bad is what misses a required position, or solves fewer than the good one and more than chance explains.
    Tactics(SolvingCriterion),
    /// Bad is what is slower than the good one by more than so much.
    Speed(SpeedCriterion),
    /// Bad is what searches another number of nodes in its bench than the good one.
    Bench,
    /// Bad is what loses a sequential test against the good one.
    Match(MatchCriterion),
}

/// Counting moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftCriterion {
    /// Suites; all that ship when there is none.
    pub suites: Vec<PathBuf>,
    /// Counts are made no deeper than this.
    pub depth: Option<u32>,
}

/// Solving positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvingCriterion {
    /// Suites; all that ship when there is none.
    pub suites: Vec<PathBuf>,
    /// Positions searched at once.
    pub concurrency: usize,
    /// The limits of a search.
    pub limits: SearchLimits,
}

/// Nodes a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedCriterion {
    /// Suites; all that ship when there is none.
    pub suites: Vec<PathBuf>,
    /// How often the positions are gone through at first.
    pub rounds: u32,
    /// So many percent slower than the good one is bad.
    pub slower: f64,
    /// The limits of a search; none for a fixed time for all of them.
    pub limits: SearchLimits,
}

/// Playing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchCriterion {
    /// The run, without its engines.
    pub run: Box<RunConfig>,
}

/// What the good commit has achieved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Yardstick {
    /// Which tactical positions it solves, in the order of the suites: `+` for one that it does, `-` for another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<String>,
    /// How many nodes its bench searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
}

/// A build that is to be tested.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The build.
    pub engine: &'a EngineConfig,
    /// The good build.
    pub good: &'a EngineConfig,
    /// What the good one has achieved; empty while it is tested itself.
    pub yardstick: &'a Yardstick,
    /// The folder of the search.
    pub folder: &'a Path,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it says about the build.
    pub verdict: Verdict,
    /// Why, in words.
    pub evidence: String,
    /// What the build has achieved, for others to be held against.
    pub achieved: Yardstick,
}

impl Subject<'_> {
    /// Whether the good build itself is tested.
    fn is_the_good_one(&self) -> bool {
        self.engine == self.good
    }

    /// Starts the good build, where there is nothing else to test about it.
    fn starts(&self) -> Result<Judgement, CliError> {
        sessions::start(self.good).context("the good build").usage()?.quit();
        Ok(Judgement::new(Verdict::Good, "the others are held against it"))
    }
}

impl Judgement {
    fn new(verdict: Verdict, evidence: impl Into<String>) -> Judgement {
        Judgement { verdict, evidence: evidence.into(), achieved: Yardstick::default() }
    }

    /// A build that cannot be tested.
    fn skipped(reason: impl Into<String>) -> Judgement {
        Judgement::new(Verdict::Skipped, reason)
    }
}

impl Criterion {
    /// Tests a build. `None` when the user has interrupted it.
    ///
    /// # Errors
    /// A suite or the good build is not as it should be, or the disk is full. What is wrong with the build itself is no
    /// error.
    pub fn judge(&self, subject: &Subject<'_>, series: &Series) -> Result<Option<Judgement>, CliError> {
        match self {
            Criterion::Perft(perft) => perft.judge(subject).map(Some),
            Criterion::Tactics(tactics) => tactics.judge(subject).map(Some),
            Criterion::Speed(speed) => speed.judge(subject).map(Some),
            Criterion::Bench => bench::judge(subject).map(Some),
            Criterion::Match(games) => games.judge(subject, series),
        }
    }

    /// How it is asked for on the command line.
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
