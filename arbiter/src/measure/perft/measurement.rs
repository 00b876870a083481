//! Perft of a build: its suites, its counts, and the counts that are wrong.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use serde::{Deserialize, Serialize};

use super::engine_counter::PerftForm;
use super::move_counter::{MoveCounter, Oracle};
use super::perft_check::{PerftCheck, PerftDifference, PerftMismatch};
use super::perft_suite::{PerftPosition, PerftSuite};
use crate::cli::console;
use crate::files::suite_files;
use crate::measure::bench::NumberPattern;
use crate::measure::{Judgement, MeasureError};
use crate::report::verdict::Verdict;
use crate::text::number_text::{counted, thousands};
use referee::Variant;
use runner::micros;

const MOST_WRONG: usize = 5;

/// The table `[perft]` of arbiter.toml, and the perft criterion of a bisection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerftSettings {
    pub suites: Vec<PathBuf>,
    pub depth: Option<u32>,
    /// The line that asks for a count in the engine's own way, with `{depth}`; `nodes` is the answer's pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<String>,
}

impl PerftSettings {
    pub fn form(&self) -> Result<Option<PerftForm>> {
        match (&self.uci, &self.nodes) {
            (None, None) => Ok(None),
            (Some(uci), Some(nodes)) if uci.contains("{depth}") => {
                let nodes: NumberPattern = nodes.parse().context("nodes")?;
                Ok(Some(PerftForm { question: uci.clone(), nodes }))
            }
            (Some(uci), Some(_)) => bail!("uci: expected a line with `{{depth}}`, found `{uci}`"),
            _ => bail!("expected both `uci`, the line that asks, and `nodes`, the number in its answer"),
        }
    }

    pub fn read(&self) -> Result<PerftTest> {
        Ok(PerftTest {
            form: self.form()?,
            suites: suite_files::parse("perft", &self.suites, PerftSuite::parse)?,
            are_named: !self.suites.is_empty(),
            skipped: Vec::new(),
            max_depth: self.depth.unwrap_or(u32::MAX),
            max_nodes: u64::MAX,
        })
    }
}

#[derive(Clone, Debug)]
pub struct PerftTest {
    pub suites: Vec<PerftSuite>,
    pub form: Option<PerftForm>,
    are_named: bool,
    /// The Chess960 suites that are skipped because the counter does not play Chess960.
    skipped: Vec<String>,
    max_depth: u32,
    pub max_nodes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftRecord {
    /// The suite: a path as in arbiter.toml, or the name of a shipped suite.
    pub suite: String,
    pub sha256: String,
    pub positions: usize,
    pub nodes: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct SuiteCounts {
    #[serde(flatten)]
    pub record: PerftRecord,
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    pub skipped: usize,
    pub wrong: Vec<WrongCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct WrongCount {
    /// The place and the name of the position: `FILE:LINE: NAME`.
    pub position: String,
    #[serde(flatten)]
    pub mismatch: PerftMismatch,
}

impl WrongCount {
    /// One line, such as `a.epd:2: start at depth 2: expected 401 nodes, counted 400; in FEN; missing: e1g1`.
    pub fn text(&self) -> String {
        let WrongCount { position, mismatch: PerftMismatch { depth, expected, found, difference } } = self;
        let (expected, found) = (thousands(*expected), thousands(*found));
        let why = difference.as_ref().map_or_else(
            || "shakmaty agrees with the engine, so the suite is wrong".to_owned(),
            |difference| {
                let wrong = difference.wrong_moves_with(["; missing", "; illegal", "; listed twice"]);
                format!("in {}{}", difference.fen, wrong.concat())
            },
        );
        format!("{position} at depth {depth}: expected {expected} nodes, counted {found}; {why}")
    }

    /// The text in several lines, with the moves to the first wrong position.
    pub fn lines(&self, counter: &str) -> Vec<String> {
        let PerftMismatch { depth, expected, found, difference } = &self.mismatch;
        let counts = [
            format!("{} at depth {depth}", self.position),
            format!("  expected {expected} nodes, {counter} counts {found}"),
        ];
        // Shakmaty always agrees with itself.
        let agrees = if counter == Oracle.name() { "" } else { ": shakmaty agrees with this count" };
        let suite_is_wrong = || vec![format!("  the suite is wrong{agrees}")];
        let rest = difference.as_ref().map_or_else(suite_is_wrong, PerftDifference::lines);
        [&counts[..], &rest].concat()
    }
}

impl PerftTest {
    /// Removes Chess960 suites if the counter does not play Chess960, unless the user named the suites.
    pub fn without_what_is_skipped(mut self, counter: &dyn MoveCounter) -> PerftTest {
        if !self.are_named && !counter.plays(Variant::Chess960) {
            let (skipped, kept): (Vec<_>, Vec<_>) =
                self.suites.into_iter().partition(PerftSuite::has_chess960);
            self.suites = kept;
            self.skipped = skipped.into_iter().map(|suite| suite.name).collect();
        }
        self
    }

    /// `no option UCI_Chess960: skipped chess960.epd`, if suites are skipped.
    pub fn skipped(&self) -> Option<String> {
        (!self.skipped.is_empty())
            .then(|| format!("no option UCI_Chess960: skipped {}", self.skipped.join(", ")))
    }

    pub fn note_skipped(&self, engine: &str) {
        if let Some(skipped) = self.skipped() {
            console::note(&format!("{engine} has {skipped}"));
        }
    }

    /// Counts the positions of a suite in order, until `visit` breaks. An error names the position.
    pub fn count_suite(
        &self,
        counter: &mut (impl MoveCounter + ?Sized),
        suite: &PerftSuite,
        mut visit: impl FnMut(&PerftPosition, &PerftCheck, Option<&WrongCount>) -> ControlFlow<()>,
    ) -> Result<SuiteCounts, MeasureError> {
        let (name, sha256) = (suite.name.clone(), suite.sha256.clone());
        let record = PerftRecord { suite: name, sha256, positions: 0, nodes: 0 };
        let is_skipped = |&&(depth, nodes): &&(u32, u64)| depth <= self.max_depth && nodes > self.max_nodes;
        let all = suite.positions.iter().flat_map(|position| &position.counts);
        let skipped = all.filter(is_skipped).count();
        let mut counts = SuiteCounts { record, time: Duration::ZERO, skipped, wrong: Vec::new() };
        for position in &suite.positions {
            let place = format!("{}:{}: {}", suite.name, position.line, position.name);
            let check = PerftCheck::run(counter, &position.within(self.max_depth, self.max_nodes));
            let check = check.map_err(|error| {
                MeasureError::new(Error::msg(format!("{place}: {error}")), error.is_engine_fault())
            })?;
            counts.record.positions += 1;
            counts.record.nodes += check.nodes;
            counts.time += check.time;
            let wrong = check.mismatch.clone().map(|mismatch| WrongCount { position: place, mismatch });
            let flow = visit(position, &check, wrong.as_ref());
            counts.wrong.extend(wrong);
            if flow.is_break() {
                break;
            }
        }
        Ok(counts)
    }

    pub fn measure(
        &self,
        counter: &mut (impl MoveCounter + ?Sized),
        ends_at_first: bool,
    ) -> Result<Vec<SuiteCounts>, MeasureError> {
        let mut all = Vec::new();
        for suite in &self.suites {
            let counts = self.count_suite(counter, suite, |_, _, wrong| match wrong {
                Some(_) if ends_at_first => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })?;
            let is_over = ends_at_first && !counts.wrong.is_empty();
            all.push(counts);
            if is_over {
                break;
            }
        }
        Ok(all)
    }
}

pub fn judge(all: &[SuiteCounts]) -> Judgement {
    let positions: usize = all.iter().map(|suite| suite.record.positions).sum();
    let nodes: u64 = all.iter().map(|suite| suite.record.nodes).sum();
    let wrong: Vec<String> = all.iter().flat_map(|suite| &suite.wrong).map(WrongCount::text).collect();
    let positions = counted(positions as u64, "position");
    let mut judgement = if wrong.is_empty() {
        Judgement::new(Verdict::Same, format!("{positions}, {} nodes, all counts correct", thousands(nodes)))
    } else {
        Judgement::new(Verdict::Worse, format!("{} of {positions} with a wrong count", wrong.len()))
    };
    judgement.details = wrong.into_iter().take(MOST_WRONG).collect();
    all.iter().fold(judgement, |judgement, suite| {
        let wrong: Vec<String> = suite.wrong.iter().map(WrongCount::text).collect();
        judgement.check(&suite.record.suite, wrong.is_empty(), wrong.join("\n"))
    })
}
