//! Tactics of a build: which positions it solves, compared with those of another build.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::solver::{SolveError, TacticsResult, solve};
use super::tactics_suite::{TacticsPosition, TacticsSuite};
use crate::files::suite_files::{self, HashedSuite};
use crate::measure::{MeasureError, start};
use crate::text::number_text::{counted, probability};
use runner::{EngineConfig, SearchLimits, duration_text};
use stats::McNemar;
use uci::Go;

/// What to solve: `[tactics]` of arbiter.toml, and the criterion of a bisection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TacticsSettings {
    /// The suites; empty for tarrasch.epd and classics.epd.
    pub suites: Vec<PathBuf>,
    pub concurrency: Option<usize>,
    #[serde(with = "duration_text::option", skip_serializing_if = "Option::is_none")]
    pub movetime: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Whether every position must be solved that its suite marks as required, instead of those that the build solved
    /// that is compared with.
    pub required: bool,
}

impl TacticsSettings {
    pub fn new(suites: Vec<PathBuf>, concurrency: Option<usize>, limits: &SearchLimits) -> TacticsSettings {
        let SearchLimits { movetime, nodes, depth, .. } = *limits;
        TacticsSettings { suites, concurrency, movetime, nodes, depth, required: false }
    }

    /// A second without any.
    pub fn limits(&self) -> SearchLimits {
        let TacticsSettings { movetime, nodes, depth, .. } = *self;
        let limits = SearchLimits { movetime, nodes, depth, ..SearchLimits::default() };
        if limits != SearchLimits::default() {
            return limits;
        }
        SearchLimits { movetime: Some(Duration::from_secs(1)), ..limits }
    }

    pub fn read(&self) -> Result<TacticsTest> {
        let suites = suite_files::parse("tactics", &self.suites, TacticsSuite::read)?;
        let concurrency = self.concurrency.unwrap_or(1);
        Ok(TacticsTest { suites, go: self.limits().go(), concurrency, all_required: self.required })
    }
}

#[derive(Clone, Debug)]
pub struct TacticsTest {
    pub suites: Vec<HashedSuite<TacticsSuite>>,
    pub go: Go,
    pub concurrency: usize,
    pub all_required: bool,
}

/// A suite and the positions that were solved, as the baseline records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TacticsRecord {
    /// The suite: a path as in arbiter.toml, or the name of a suite that ships.
    pub suite: String,
    pub sha256: String,
    /// The limit of each search, as the `go` command.
    pub limit: String,
    pub positions: usize,
    /// The names of the solved positions, in the order of the suite.
    pub solved: Vec<String>,
}

impl TacticsTest {
    /// Lets a build search all positions of a suite, several at the same time. Calls `visit` on this thread with the index
    /// and result of each position as soon as it is done. An engine that failed is started again.
    pub fn solve(
        &self,
        engine: &EngineConfig,
        suite: &TacticsSuite,
        mut visit: impl FnMut(usize, Result<TacticsResult, SolveError>),
    ) -> Result<(), MeasureError> {
        let positions = &suite.positions;
        let next = AtomicUsize::new(0);
        let work = |results: Sender<(usize, Result<TacticsResult, SolveError>)>| {
            let mut idle = None;
            while let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some(position) = positions.get(index)
            {
                let mut session = idle.take().map_or_else(|| start(engine), Ok)?;
                let result = solve(&mut session, position, &self.go);
                if result.is_ok() {
                    idle = Some(session);
                }
                if results.send((index, result)).is_err() {
                    break;
                }
            }
            if let Some(session) = idle {
                session.quit();
            }
            Ok(())
        };
        thread::scope(|scope| {
            let (sender, results) = channel();
            let workers: Vec<_> = (0..self.concurrency.clamp(1, positions.len().max(1)))
                .map(|_| {
                    let sender = sender.clone();
                    scope.spawn(|| work(sender))
                })
                .collect();
            drop(sender);
            for (index, result) in results {
                visit(index, result);
            }
            // A worker that panicked has printed why; errors of the others go to the caller.
            workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
        })
    }

    /// Lets a build search all suites. `visit` gets each result as soon as it is known; a position where the engine failed
    /// counts as not solved.
    pub fn measure(
        &self,
        engine: &EngineConfig,
        mut visit: impl FnMut(&TacticsSuite, &TacticsPosition, Result<TacticsResult, SolveError>),
    ) -> Result<Solved<'_>, MeasureError> {
        let mut marks = Vec::new();
        for HashedSuite { suite, .. } in &self.suites {
            let begin = marks.len();
            marks.resize(begin + suite.positions.len(), false);
            self.solve(engine, suite, |index, result| {
                marks[begin + index] = result.as_ref().is_ok_and(TacticsResult::is_solved);
                visit(suite, &suite.positions[index], result);
            })?;
        }
        Ok(Solved { test: self, marks })
    }
}

#[derive(Clone, Debug)]
pub struct Solved<'a> {
    pub test: &'a TacticsTest,
    /// Whether each was, in the order of the suites.
    pub marks: Vec<bool>,
}

impl<'a> Solved<'a> {
    /// Each suite with its marks and those of another build, which are `None` where that one did not search.
    fn suites<'b>(
        &'b self,
        mut other: &'b [Option<bool>],
    ) -> impl Iterator<Item = (&'a HashedSuite<TacticsSuite>, &'b [bool], &'b [Option<bool>])> {
        let mut marks = &self.marks[..];
        self.test.suites.iter().map(move |suite| {
            let ours = marks.split_off(..suite.suite.positions.len()).unwrap_or_default();
            let others = other.split_off(..ours.len()).unwrap_or_default();
            (suite, ours, others)
        })
    }

    pub fn records(&self) -> Vec<TacticsRecord> {
        let record = |(HashedSuite { suite, sha256 }, marks, _): (&HashedSuite<TacticsSuite>, &[bool], _)| {
            let solved = suite.positions.iter().zip(marks).filter(|(_, solved)| **solved);
            TacticsRecord {
                suite: suite.name.clone(),
                sha256: sha256.clone(),
                limit: self.test.go.to_string(),
                positions: suite.positions.len(),
                solved: solved.map(|(position, _)| position.id.clone()).collect(),
            }
        };
        self.suites(&[]).map(record).collect()
    }

    /// The marks of the build that has these records.
    pub fn marks_of(&self, records: &[TacticsRecord]) -> Vec<Option<bool>> {
        let of_suite = |suite: &HashedSuite<TacticsSuite>| {
            let record = records.iter().find(|record| record.suite == suite.suite.name);
            let mark = |position: &TacticsPosition| Some(record?.solved.contains(&position.id));
            suite.suite.positions.iter().map(mark).collect::<Vec<_>>()
        };
        self.test.suites.iter().flat_map(of_suite).collect()
    }

    /// `3 of 4 positions solved`.
    pub fn total(&self) -> String {
        let solved = self.marks.iter().filter(|solved| **solved).count();
        format!("{solved} of {} solved", counted(self.marks.len() as u64, "position"))
    }

    /// The required positions that were not solved, by suite: those that `is_required` of what the suites mark.
    fn missed(
        &self,
        other: &[Option<bool>],
        is_required: impl Fn(Option<&Option<bool>>) -> bool,
    ) -> Vec<(&'a str, Vec<&'a str>)> {
        let missed = |(suite, marks, other): (&'a HashedSuite<TacticsSuite>, &[bool], &[Option<bool>])| {
            let positions = suite.suite.positions.iter().zip(marks).enumerate();
            let missed = positions.filter(|(index, (position, solved))| {
                position.required && !**solved && is_required(other.get(*index))
            });
            (&*suite.suite.name, missed.map(|(_, (position, _))| &*position.id).collect())
        };
        self.suites(other).map(missed).collect()
    }

    /// The unsolved positions that the suites mark as required.
    pub fn missed_of_marked(&self) -> Vec<&'a str> {
        self.missed(&[], |_| true).into_iter().flat_map(|(_, missed)| missed).collect()
    }

    /// Compares with another build, of which it is known for each position whether it solved it. Required are the positions
    /// that their suite marks so and that the other build solved, or all that are marked, if the test says so.
    pub fn compare(&self, other: &[Option<bool>]) -> SolvedChange<'a> {
        let comparison = TacticsComparison::of(&self.marks, other);
        let positions: Vec<&'a TacticsPosition> =
            self.test.suites.iter().flat_map(|suite| &suite.suite.positions).collect();
        let named = |indices: &[usize]| indices.iter().map(|index| &*positions[*index].id).collect();
        SolvedChange {
            found: named(&comparison.found),
            lost: named(&comparison.lost),
            missed: self.missed(other, |other| self.test.all_required || other == Some(&Some(true))),
            has_other: other.iter().any(Option::is_some),
            comparison,
        }
    }
}

/// A build compared with another one on the same positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedChange<'a> {
    /// The names of the positions that only the build under test solved.
    pub found: Vec<&'a str>,
    /// The names of those that only the other build solved.
    pub lost: Vec<&'a str>,
    /// The required positions that the build under test does not solve, by suite.
    pub missed: Vec<(&'a str, Vec<&'a str>)>,
    /// Whether anything is known of another build.
    pub has_other: bool,
    comparison: TacticsComparison,
}

impl<'a> SolvedChange<'a> {
    pub fn is_significant_loss(&self) -> bool {
        self.comparison.is_significant_loss()
    }

    pub fn all_missed(&self) -> Vec<&'a str> {
        self.missed.iter().flat_map(|(_, missed)| missed).copied().collect()
    }

    pub fn is_regression(&self) -> bool {
        self.is_significant_loss() || !self.all_missed().is_empty()
    }

    /// `, 2 lost and 1 gained since the baseline (p = 1.000, not significant)`; nothing without another build.
    pub fn text(&self, other: &str) -> String {
        match (self.found.len(), self.lost.len()) {
            _ if !self.has_other => String::new(),
            (0, 0) => format!(", the same as in {other}"),
            (found, lost) => {
                let significance = self.comparison.significance();
                format!(", {lost} lost and {found} gained since {other} ({significance})")
            }
        }
    }
}

/// The positions that only one of two engines solved, by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsComparison {
    /// Those that only the first solved.
    pub found: Vec<usize>,
    /// Those that only the second solved.
    pub lost: Vec<usize>,
}

impl TacticsComparison {
    /// Compares whether each position was solved; those of which that is not known of the second are left out.
    pub fn of(first: &[bool], second: &[Option<bool>]) -> TacticsComparison {
        let both = || first.iter().zip(second).enumerate();
        let only = |ours: bool| {
            let only = both().filter(|(_, (first, second))| **first == ours && **second == Some(!ours));
            only.map(|(index, _)| index).collect()
        };
        TacticsComparison { found: only(true), lost: only(false) }
    }

    fn test(&self) -> McNemar {
        McNemar { only_first: self.found.len() as u64, only_second: self.lost.len() as u64 }
    }

    /// Whether the first solves significantly fewer.
    pub fn is_significant_loss(&self) -> bool {
        self.lost.len() > self.found.len() && self.test().is_significant()
    }

    /// `p = 0.031, significant`.
    pub fn significance(&self) -> String {
        let word = if self.test().is_significant() { "significant" } else { "not significant" };
        format!("{}, {word}", probability(self.test().p_value()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test of two suites of the same positions, of which the first of each is required.
    fn test_of(positions: usize, all_required: bool) -> TacticsTest {
        let line = |number: usize| {
            let required = if number == 0 { "c9 \"required\";" } else { "" };
            format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"n{number}\"; {required}\n")
        };
        let text = (0..positions).map(line).collect::<String>();
        let suite =
            |name| HashedSuite { suite: TacticsSuite::parse(name, &text).unwrap(), sha256: String::new() };
        let go = SearchLimits { nodes: Some(7), ..SearchLimits::default() }.go();
        TacticsTest { suites: ["a", "b"].map(suite).into(), go, concurrency: 1, all_required }
    }

    fn marks(text: &str) -> Vec<bool> {
        text.chars().map(|mark| mark == '+').collect()
    }

    fn known(text: &str) -> Vec<Option<bool>> {
        text.chars().map(|mark| (mark != '?').then_some(mark == '+')).collect()
    }

    #[test]
    fn only_a_significant_loss_is_one() {
        for (first, second, found, lost, is_loss) in [
            ("------", "++++++", 0, 6, true),
            ("-----+", "++++++", 0, 5, false),
            ("++++++", "------", 6, 0, false),
            ("------", "+++++?", 0, 5, false),
            ("+--+", "+++-", 1, 2, false),
        ] {
            let comparison = TacticsComparison::of(&marks(first), &known(second));
            let counts = (comparison.found.len(), comparison.lost.len());
            assert_eq!(
                (counts, comparison.is_significant_loss()),
                ((found, lost), is_loss),
                "{first} {second}"
            );
        }
    }

    #[test]
    fn a_build_is_compared_by_its_records_and_names_its_positions_across_suites() {
        let test = test_of(3, false);
        let before = Solved { test: &test, marks: marks("++-+-+") };
        let records = before.records();
        assert_eq!(
            (&*records[0].limit, &records[0].solved[..]),
            ("go nodes 7", &["n0", "n1"].map(str::to_owned)[..])
        );
        let now = Solved { test: &test, marks: marks("-+++++") };
        assert_eq!((now.total(), now.missed_of_marked()), ("5 of 6 positions solved".to_owned(), vec!["n0"]));
        let change = now.compare(&now.marks_of(&records));
        assert_eq!((&change.found[..], &change.lost[..]), (&["n2", "n1"][..], &["n0"][..]));
        assert_eq!(change.missed, [("a", vec!["n0"]), ("b", Vec::new())]);
        assert!(change.is_regression() && !change.is_significant_loss());
        assert_eq!(change.text("it"), ", 1 lost and 2 gained since it (p = 1.000, not significant)");
        assert_eq!(before.compare(&known("++-+-+")).text("it"), ", the same as in it");
        let first_suite = now.compare(&now.marks_of(&records[..1]));
        assert_eq!((first_suite.found, first_suite.has_other), (vec!["n2"], true));
    }

    #[test]
    fn required_is_what_the_other_build_solved_or_all_that_is_marked() {
        let missed = |all_required, other: &str| {
            let test = test_of(2, all_required);
            Solved { test: &test, marks: marks("-+++") }.compare(&known(other)).is_regression()
        };
        assert!(missed(false, "+---"));
        assert!(!missed(false, "-+++") && !missed(false, ""));
        assert!(missed(true, ""));
    }
}
