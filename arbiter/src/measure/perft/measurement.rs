//! Perft of a build: the suites that it counts, its counts, and what is wrong with them.

use std::path::PathBuf;

use anyhow::{Error, Result};
use serde::{Deserialize, Serialize};

use super::move_counter::{EngineCounter, MoveCounter};
use super::perft_check::PerftCheck;
use super::perft_suite::{PerftPosition, PerftSuite};
use crate::cli::console;
use crate::files::suite_files::{self, HashedSuite};
use crate::measure::{CheckOutcome, Judgement, MeasureError, start};
use crate::report::verdict::Judged;
use crate::text::number_text::{counted, thousands};
use referee::Variant;
use runner::EngineConfig;

const MOST_WRONG: usize = 5;

/// What to count: `[perft]` of arbiter.toml, and the criterion of a bisection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PerftSettings {
    /// The suites; empty for all that ship.
    pub suites: Vec<PathBuf>,
    pub depth: Option<u32>,
}

impl PerftSettings {
    pub fn read(&self) -> Result<PerftTest> {
        Ok(PerftTest {
            suites: suite_files::parse("perft", &self.suites, PerftSuite::read)?,
            are_named: !self.suites.is_empty(),
            skipped: Vec::new(),
            max_depth: self.depth.unwrap_or(u32::MAX),
            max_nodes: u64::MAX,
        })
    }
}

/// The suites to count, and up to which counts.
#[derive(Clone, Debug)]
pub struct PerftTest {
    pub suites: Vec<HashedSuite<PerftSuite>>,
    /// Whether the user names the suites; those must be counted.
    are_named: bool,
    /// The suites of Chess960 that an engine without it does not count.
    skipped: Vec<String>,
    max_depth: u32,
    /// Greater counts are skipped.
    pub max_nodes: u64,
}

/// A suite with its node count, as the baseline records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerftRecord {
    /// The suite: a path as in arbiter.toml, or the name of a suite that ships.
    pub suite: String,
    pub sha256: String,
    pub positions: usize,
    pub nodes: u64,
}

/// The counts of a suite by one build.
#[derive(Clone, Debug)]
pub struct SuiteCounts {
    pub record: PerftRecord,
    /// The positions with a wrong count, each in a sentence.
    pub wrong: Vec<String>,
    /// Whether shakmaty agrees with one of these counts.
    pub is_suite_wrong: bool,
}

impl PerftTest {
    /// Leaves out the suites of Chess960 for a counter without it, unless the user names them.
    #[must_use]
    pub fn without_what_is_skipped(mut self, counter: &dyn MoveCounter) -> PerftTest {
        if !self.are_named && !counter.plays(Variant::Chess960) {
            let (skipped, kept): (Vec<_>, Vec<_>) =
                self.suites.into_iter().partition(|suite| suite.suite.has_chess960());
            self.suites = kept;
            self.skipped = skipped.into_iter().map(|suite| suite.suite.name).collect();
        }
        self
    }

    /// `no option UCI_Chess960: skipped chess960.epd`, if it is so.
    pub fn skipped(&self) -> Option<String> {
        (!self.skipped.is_empty())
            .then(|| format!("no option UCI_Chess960: skipped {}", self.skipped.join(", ")))
    }

    pub fn note_skipped(&self, engine: &str) {
        if let Some(skipped) = self.skipped() {
            console::note(&format!("{engine} has {skipped}"));
        }
    }

    /// How many counts of a suite have too many nodes.
    pub fn counts_above_max_nodes(&self, suite: &PerftSuite) -> usize {
        let all = suite.positions.iter().flat_map(|position| &position.counts);
        all.filter(|(depth, nodes)| *depth <= self.max_depth && *nodes > self.max_nodes).count()
    }

    /// Counts the positions of a suite lazily, one after the other. An error names the position.
    pub fn counts<'a>(
        &self,
        counter: &mut (impl MoveCounter + ?Sized),
        suite: &'a PerftSuite,
    ) -> impl Iterator<Item = (&'a PerftPosition, Result<PerftCheck, MeasureError>)> {
        suite.positions.iter().map(move |position| {
            let check = PerftCheck::run(counter, &position.within(self.max_depth, self.max_nodes));
            let check = check.map_err(|error| {
                let is_fault = error.is_engine_fault();
                let named = format!("{}: {error}", place(suite, position));
                MeasureError::new(Error::msg(named), is_fault)
            });
            (position, check)
        })
    }

    /// Counts all suites with a build, or up to the first wrong count.
    pub fn measure(
        &self,
        counter: &mut (impl MoveCounter + ?Sized),
        ends_at_first: bool,
    ) -> Result<Vec<SuiteCounts>, MeasureError> {
        let mut all = Vec::new();
        for HashedSuite { suite, sha256 } in &self.suites {
            let (name, sha256) = (suite.name.clone(), sha256.clone());
            let record = PerftRecord { suite: name, sha256, positions: 0, nodes: 0 };
            let mut counts = SuiteCounts { record, wrong: Vec::new(), is_suite_wrong: false };
            for (position, check) in self.counts(counter, suite) {
                let check = check?;
                counts.record.positions += 1;
                counts.record.nodes += check.nodes;
                if let Some(mismatch) = check.mismatch {
                    counts.wrong.push(mismatch.text(&place(suite, position)));
                    counts.is_suite_wrong |= mismatch.difference.is_none();
                    if ends_at_first {
                        all.push(counts);
                        return Ok(all);
                    }
                }
            }
            all.push(counts);
        }
        Ok(all)
    }
}

/// `FILE:LINE: NAME`.
fn place(suite: &PerftSuite, position: &PerftPosition) -> String {
    format!("{}:{}: {}", suite.name, position.line, position.name)
}

/// Judges the counts of a build, or those up to the first wrong one.
pub fn judge(all: &[SuiteCounts]) -> Judgement {
    let positions: usize = all.iter().map(|suite| suite.record.positions).sum();
    let nodes: u64 = all.iter().map(|suite| suite.record.nodes).sum();
    let wrong: Vec<&String> = all.iter().flat_map(|suite| &suite.wrong).collect();
    let positions = counted(positions as u64, "position");
    let mut judgement = if wrong.is_empty() {
        Judgement::new(Judged::Same, format!("{positions}, {} nodes, all counts correct", thousands(nodes)))
    } else {
        Judgement::new(Judged::Worse, format!("{} of {positions} with a wrong count", wrong.len()))
    };
    judgement.details = wrong.into_iter().take(MOST_WRONG).cloned().collect();
    all.iter().fold(judgement, |judgement, suite| {
        let outcome = CheckOutcome::of(suite.wrong.is_empty(), || suite.wrong.join("\n"));
        judgement.check(suite.record.suite.clone(), outcome)
    })
}

impl EngineCounter {
    pub fn start(engine: &EngineConfig) -> Result<EngineCounter, MeasureError> {
        Ok(EngineCounter::new(engine.name.clone(), start(engine)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::perft::OwnCore;

    #[test]
    fn a_wrong_count_has_its_place_and_may_be_the_last() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let text = format!("{start} ;D1 20\n{start} ;D1 21\n{start} ;D1 19\n");
        let suite = PerftSuite::parse("a.epd", &text).unwrap();
        let test = PerftTest {
            suites: vec![HashedSuite { suite, sha256: String::new() }],
            ..PerftSettings::default().read().unwrap()
        };
        let wrong = |ends_at_first| test.measure(&mut OwnCore, ends_at_first).unwrap().remove(0);
        let all = wrong(false);
        assert_eq!((all.wrong.len(), all.record.nodes, all.is_suite_wrong), (2, 60, true));
        assert!(all.wrong[0].starts_with("a.epd:2: line 2 at depth 1: expected 21 nodes, counted 20; "));
        assert_eq!(judge(std::slice::from_ref(&all)).sentence, "2 of 3 positions with a wrong count");
        let first = judge(&[wrong(true)]);
        assert_eq!((first.verdict, &*first.sentence), (Judged::Worse, "1 of 2 positions with a wrong count"));
        assert_eq!(first.details, all.wrong[..1]);
    }
}
