//! Tactics of a build: the positions that it solves, compared with another build.

use std::cmp::Ordering;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::mate_audit::MateAudit;
use super::solver::{TacticsResult, solve};
use super::tactics_suite::{TacticsPosition, TacticsSuite};
use crate::engines::{EngineSession, in_parallel, session};
use crate::files::suite_files;
use crate::measure::{Judgement, MeasureError};
use crate::report::verdict::Verdict;
use crate::results::LimitUse;
use crate::text::listed;
use crate::text::number_text::{counted, probability};
use referee::Variant;
use runner::process::EngineError;
use runner::{EngineConfig, SearchLimits, duration_text};
use stats::McNemar;
use uci::Go;

/// After this many unanswered positions, an engine that leaves more than one in ten unanswered gets no more positions.
const MOST_SILENT: usize = 3;

const fn is_hopeless(answers: usize, silent: usize) -> bool {
    silent >= MOST_SILENT && answers < 10 * silent
}

const MOST_NAMED: usize = 8;

/// How often a missed required position is searched again: not every engine finds the same move twice.
const TRIES_AGAIN: usize = 2;

/// The table `[tactics]` of arbiter.toml, and the tactics criterion of a bisection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TacticsSettings {
    /// The suites; empty for tarrasch.epd and classics.epd.
    pub suites: Vec<PathBuf>,
    pub concurrency: Option<usize>,
    #[serde(with = "duration_text", skip_serializing_if = "Option::is_none")]
    pub movetime: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Whether every position that its suite marks as required must be solved, and not only those that the other build
    /// solved.
    pub required: bool,
}

impl TacticsSettings {
    pub fn new(suites: Vec<PathBuf>, concurrency: Option<usize>, limits: &SearchLimits) -> TacticsSettings {
        let SearchLimits { movetime, nodes, depth, .. } = *limits;
        TacticsSettings { suites, concurrency, movetime, nodes, depth, required: false }
    }

    /// The limits; one second per position if none is set.
    pub fn limits(&self) -> SearchLimits {
        let TacticsSettings { movetime, nodes, depth, .. } = *self;
        let limits = SearchLimits { movetime, nodes, depth, ..SearchLimits::default() };
        if limits != SearchLimits::default() {
            return limits;
        }
        SearchLimits { movetime: Some(Duration::from_secs(1)), ..limits }
    }

    pub fn read(&self) -> Result<TacticsTest> {
        let suites = suite_files::parse("tactics", &self.suites, TacticsSuite::parse)?;
        let concurrency = self.concurrency.unwrap_or(1);
        Ok(TacticsTest { suites, go: self.limits().go(), concurrency, all_required: self.required })
    }
}

#[derive(Clone, Debug)]
pub struct TacticsTest {
    pub suites: Vec<TacticsSuite>,
    pub go: Go,
    pub concurrency: usize,
    pub all_required: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TacticsRecord {
    pub suite: String,
    pub sha256: String,
    pub limit: String,
    pub positions: usize,
    pub solved: Vec<String>,
}

impl TacticsTest {
    /// Searches all positions of a suite, several at the same time. Calls `visit` on this thread with the index and result
    /// of each position as soon as it is done. An engine that failed is restarted.
    fn solve(
        &self,
        engine: &EngineConfig,
        suite: &TacticsSuite,
        mut visit: impl FnMut(usize, Result<TacticsResult>),
    ) -> Result<(), MeasureError> {
        let positions = &suite.positions;
        let work = |session: &mut EngineSession, index: usize| solve(session, &positions[index], &self.go);
        let (mut answers, mut silent) = (0, 0);
        let visit = |index, result: Result<TacticsResult>| {
            let is_silent = matches!(
                result.as_ref().err().and_then(|error| error.downcast_ref()),
                Some(EngineError::Silent { .. })
            );
            answers += usize::from(result.is_ok());
            silent += usize::from(is_silent);
            visit(index, result);
            if is_hopeless(answers, silent) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let is_over = AtomicBool::new(false);
        let of_chess960 = positions.iter().find(|position| position.variant == Variant::Chess960);
        let start = || match (session::start(engine)?, of_chess960) {
            (session, Some(position)) if !session.plays(Variant::Chess960) => {
                Err(MeasureError::Usage(anyhow!(
                    "{}:{}: {} is a position of Chess960; engine {} has no option UCI_Chess960",
                    suite.name,
                    position.line,
                    position.id,
                    engine.name
                )))
            }
            (session, _) => Ok(session),
        };
        in_parallel(0..positions.len(), self.concurrency, &is_over, start, work, visit)?;
        if is_hopeless(answers, silent) {
            return Err(MeasureError::EngineFault(anyhow!(
                "no answer to `{}` in {silent} of the first {} positions; the others were not asked",
                self.go,
                answers + silent
            )));
        }
        Ok(())
    }

    pub fn measure(
        &self,
        engine: &EngineConfig,
        mut visit: impl FnMut(&TacticsSuite, &TacticsPosition, &Result<TacticsResult>),
    ) -> Result<Solved<'_>, MeasureError> {
        let mut results = Vec::new();
        for suite in &self.suites {
            let begin = results.len();
            results.resize(begin + suite.positions.len(), None);
            self.solve(engine, suite, |index, result| {
                visit(suite, &suite.positions[index], &result);
                results[begin + index] = result.ok();
            })?;
        }
        Ok(Solved { engine: engine.name.clone(), test: self, results, unsteady: Vec::new() })
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct ThemePoints<'a> {
    pub engine: &'a str,
    pub theme: &'a str,
    pub positions: usize,
    pub points: u32,
    pub most: u32,
}

#[derive(Clone, Debug)]
pub struct Solved<'a> {
    pub engine: String,
    pub test: &'a TacticsTest,
    /// The results in the order of the suites; `None` if the engine failed, which counts as not solved.
    pub results: Vec<Option<TacticsResult>>,
    /// The required positions that were missed, but solved when they were searched again.
    pub unsteady: Vec<usize>,
}

impl<'a> Solved<'a> {
    /// Searches the missed required positions again, each in a new process.
    pub fn search_again(
        &mut self,
        engine: &EngineConfig,
        other: &[Option<bool>],
    ) -> Result<(), MeasureError> {
        for index in self.missed_of_required(other) {
            let Some((_, position, _)) = self.positions().nth(index) else { continue };
            for _ in 0..TRIES_AGAIN {
                let result = solve(&mut session::start(engine)?, position, &self.test.go);
                if result.is_ok_and(|result| result.is_solved()) {
                    self.unsteady.push(index);
                    break;
                }
            }
        }
        Ok(())
    }

    pub fn marks(&self) -> Vec<bool> {
        self.results.iter().map(|result| result.as_ref().is_some_and(TacticsResult::is_solved)).collect()
    }

    /// Warnings of limits that the engine does not keep: `tarrasch ignores …`.
    pub fn doubts(&self) -> Vec<String> {
        let limits = SearchLimits::of(&self.test.go);
        let ends = self.results.iter().flatten().map(TacticsResult::end);
        let doubts = LimitUse::of(&limits, ends).doubts(&limits, None);
        doubts.iter().map(|doubt| format!("{} {doubt}; use another limit", self.engine)).collect()
    }

    pub fn known(&self) -> Vec<Option<bool>> {
        self.marks().into_iter().map(Some).collect()
    }

    pub fn positions(&self) -> impl Iterator<Item = (&'a str, &'a TacticsPosition, Option<&TacticsResult>)> {
        let positions = self
            .test
            .suites
            .iter()
            .flat_map(|suite| suite.positions.iter().map(|position| (&*suite.name, position)));
        let both = positions.zip(&self.results);
        both.map(|((suite, position), result)| (suite, position, result.as_ref()))
    }

    /// A line for each suite: `tarrasch         classics.epd             ✓ 43/43`.
    pub fn suite_lines(&self) -> Vec<String> {
        let (marks, missed) = (self.marks(), self.missed_of_marked());
        let line = |(suite, range): (&TacticsSuite, Range<usize>)| {
            let solved = marks[range.clone()].iter().filter(|solved| **solved).count();
            let faults = self.results[range.clone()].iter().filter(|result| result.is_none()).count();
            let is_missed = missed.iter().any(|index| range.contains(index));
            let mark = if is_missed || faults > 0 { "✗" } else { "✓" };
            let faults = match faults {
                0 => String::new(),
                faults => format!(", {}", counted(faults as u64, "engine fault")),
            };
            format!(
                "{:<16} {:<24} {mark} {solved}/{}{faults}",
                self.engine,
                suite.name,
                suite.positions.len()
            )
        };
        self.suites().map(line).collect()
    }

    /// The points for each theme, in the order of the suites; positions without points are left out.
    pub fn themes(&self) -> Vec<ThemePoints<'_>> {
        let mut themes: IndexMap<&str, ThemePoints<'_>> = IndexMap::new();
        for (_, position, result) in self.positions() {
            let [points, most] = position.points_and_most(result);
            let Some(theme) = position.theme().filter(|_| most > 0) else { continue };
            let sum = ThemePoints { engine: &self.engine, theme, positions: 0, points: 0, most: 0 };
            let sum = themes.entry(theme).or_insert(sum);
            sum.positions += 1;
            sum.points += points;
            sum.most += most;
        }
        themes.into_values().collect()
    }

    /// The mate audit of each suite that has positions with a known mate.
    pub fn mate_audits(&self) -> Vec<(&'a str, MateAudit)> {
        let audit = |(suite, range): (&'a TacticsSuite, Range<usize>)| {
            let claims = self.results[range].iter().map(|result| result.as_ref().map(|result| &result.mates));
            Some((&*suite.name, MateAudit::of(suite.positions.iter().zip(claims))?))
        };
        self.suites().filter_map(audit).collect()
    }

    fn suites(&self) -> impl Iterator<Item = (&'a TacticsSuite, Range<usize>)> {
        let mut end = 0;
        self.test.suites.iter().map(move |suite| {
            let begin = end;
            end += suite.positions.len();
            (suite, begin..end)
        })
    }

    pub fn records(&self) -> Vec<TacticsRecord> {
        let marks = self.marks();
        let record = |(suite, range): (&TacticsSuite, Range<usize>)| {
            let solved = suite.positions.iter().zip(&marks[range]).filter(|(_, solved)| **solved);
            TacticsRecord {
                suite: suite.name.clone(),
                sha256: suite.sha256.clone(),
                limit: self.test.go.to_string(),
                positions: suite.positions.len(),
                solved: solved.map(|(position, _)| position.id.clone()).collect(),
            }
        };
        self.suites().map(record).collect()
    }

    pub fn marks_of(&self, records: &[TacticsRecord]) -> Vec<Option<bool>> {
        let mark = |(suite, position, _): (&str, &TacticsPosition, _)| {
            let limit = self.test.go.to_string();
            // With another limit, a build solves different positions.
            let record = records.iter().find(|record| record.suite == suite && record.limit == limit)?;
            Some(record.solved.contains(&position.id))
        };
        self.positions().map(mark).collect()
    }

    pub fn missed_of_marked(&self) -> Vec<usize> {
        let positions = self.positions().zip(self.marks()).enumerate();
        let missed = positions.filter(|(_, ((_, position, _), solved))| position.required && !solved);
        missed.map(|(index, _)| index).collect()
    }

    /// The missed positions that the build must solve. With a time limit, a single miss proves nothing.
    fn missed_of_required(&self, other: &[Option<bool>]) -> Vec<usize> {
        let is_exact = self.test.go.movetime.is_none();
        let is_required =
            |index: &usize| self.test.all_required || is_exact && other.get(*index) == Some(&Some(true));
        self.missed_of_marked().into_iter().filter(is_required).collect()
    }

    /// Compares which positions were solved; positions without a result of the other build are left out.
    pub fn comparison(&self, other: &[Option<bool>]) -> TacticsComparison {
        let marks = self.marks();
        let both = || marks.iter().zip(other).enumerate();
        let only = |ours: bool| {
            let only = both().filter(|(_, (first, second))| **first == ours && **second == Some(!ours));
            only.map(|(index, _)| index).collect()
        };
        TacticsComparison { found: only(true), lost: only(false) }
    }

    /// Judges the build against another one; `other` says for each position whether that build solved it, if known. The
    /// required positions are the marked ones that the other build solved, or all marked ones if the test says so.
    pub fn judge(&self, other: &[Option<bool>], name: &str) -> Judgement {
        let comparison = self.comparison(other);
        let has_other = other.iter().any(Option::is_some);
        let change = match (comparison.found.len(), comparison.lost.len()) {
            _ if !has_other => String::new(),
            (0, 0) => format!(", the same as in {name}"),
            (found, lost) => {
                format!(", {lost} lost and {found} gained since {name} ({})", comparison.significance())
            }
        };
        let marked = self.missed_of_marked();
        let mut missed = self.missed_of_required(other);
        missed.retain(|index| !self.unsteady.contains(index));
        let verdict = if missed.is_empty() { comparison.judged() } else { Verdict::Worse };
        let ids: Vec<&str> = self.positions().map(|(_, position, _)| &*position.id).collect();
        let named = |indices: &[usize], most| {
            listed(&indices.iter().map(|index| ids[*index]).collect::<Vec<_>>(), most)
        };
        let solved = self.marks().iter().filter(|solved| **solved).count();
        let total = format!("{solved} of {} solved", counted(ids.len() as u64, "position"));
        let mut judgement = Judgement::new(verdict, total + &change);
        for (word, indices) in [
            ("required but not solved", &missed),
            ("required, and solved only when searched again", &self.unsteady),
            ("lost", &comparison.lost),
            ("gained", &comparison.found),
        ] {
            if !indices.is_empty() {
                judgement = judgement.detail(format!("{word}: {}", named(indices, MOST_NAMED)));
            }
        }
        judgement = self
            .doubts()
            .into_iter()
            .fold(judgement, |judgement, doubt| judgement.detail(format!("warning: {doubt}")));
        // The misses with which a first baseline is accepted.
        if !has_other && missed.is_empty() && !marked.is_empty() {
            let (count, names) = (marked.len(), named(&marked, MOST_NAMED));
            let accepted = format!("{count} marked as required in a suite, but not solved: {names}");
            judgement = judgement.detail(accepted);
        }
        for (suite, range) in self.suites() {
            let missed: Vec<usize> = missed.iter().copied().filter(|index| range.contains(index)).collect();
            let not_solved = format!("not solved: {}", named(&missed, usize::MAX));
            let name = format!("{}: required positions", suite.name);
            judgement = judgement.check(name, missed.is_empty(), not_solved);
        }
        if !has_other {
            return judgement;
        }
        let sentence = judgement.sentence.clone();
        judgement.check(format!("no loss from {name}"), comparison.judged() != Verdict::Worse, sentence)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsComparison {
    pub found: Vec<usize>,
    pub lost: Vec<usize>,
}

impl TacticsComparison {
    fn test(&self) -> McNemar {
        McNemar { only_first: self.found.len() as u64, only_second: self.lost.len() as u64 }
    }

    pub fn judged(&self) -> Verdict {
        match self.found.len().cmp(&self.lost.len()) {
            _ if !self.test().is_significant() => Verdict::Same,
            Ordering::Less => Verdict::Worse,
            Ordering::Equal => Verdict::Same,
            Ordering::Greater => Verdict::Better,
        }
    }

    /// The significance, such as `p = 0.031, significant`.
    pub fn significance(&self) -> String {
        let word = if self.test().is_significant() { "significant" } else { "not significant" };
        format!("{}, {word}", probability(self.test().p_value()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tactics::solver::Solution;
    use crate::text::junit::CaseOutcome;

    /// A test with two suites of the same positions; the first position of each suite is required.
    fn test_of(positions: usize) -> TacticsTest {
        let line = |number: usize| {
            let required = if number == 0 { "c9 \"required\";" } else { "" };
            format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"n{number}\"; {required}\n")
        };
        let text = (0..positions).map(line).collect::<String>();
        let suite = |name| TacticsSuite::parse(name, &text).unwrap();
        let go = SearchLimits { nodes: Some(7), ..SearchLimits::default() }.go();
        TacticsTest { suites: ["a", "b"].map(suite).into(), go, concurrency: 1, all_required: false }
    }

    fn marks(text: &str) -> Vec<bool> {
        text.chars().map(|mark| mark == '+').collect()
    }

    fn solved<'a>(test: &'a TacticsTest, text: &str) -> Solved<'a> {
        let result = |is_solved: bool| {
            let solution = is_solved.then_some(Solution { time: Duration::ZERO, nodes: 1, depth: 1 });
            Some(TacticsResult { answer: "a1a8".to_owned(), solution, nodes: 1, ..TacticsResult::default() })
        };
        let results = marks(text).into_iter().map(result).collect();
        Solved { engine: "new".to_owned(), test, results, unsteady: Vec::new() }
    }

    fn known(text: &str) -> Vec<Option<bool>> {
        text.chars().map(|mark| (mark != '?').then_some(mark == '+')).collect()
    }

    #[test]
    fn a_build_is_compared_by_its_records_and_names_its_positions_across_suites() {
        let test = test_of(3);
        let before = solved(&test, "++-+-+");
        let records = before.records();
        assert_eq!(
            (&*records[0].limit, &records[0].solved[..]),
            ("go nodes 7", &["n0", "n1"].map(str::to_owned)[..])
        );
        let now = solved(&test, "-+++++");
        let judgement = now.judge(&now.marks_of(&records), "it");
        let text = "5 of 6 positions solved, 1 lost and 2 gained since it (p = 1.000, not significant); required but not \
                    solved: n0; lost: n0; gained: n2, n1";
        assert_eq!((judgement.verdict, &*judgement.text()), (Verdict::Worse, text));
        let failed = |name: &str| {
            let check = judgement.checks.iter().find(|check| check.name == name).unwrap();
            matches!(check.outcome, CaseOutcome::Failed(_))
        };
        assert!(failed("a: required positions") && !failed("b: required positions"), "{judgement:?}");
        assert!(!failed("no loss from it"), "{judgement:?}");
        let first_suite = now.judge(&now.marks_of(&records[..1]), "it");
        assert!(first_suite.text().ends_with("gained: n2"), "{first_suite:?}");
    }

    #[test]
    fn a_single_position_proves_nothing_where_the_time_is_limited() {
        let mut test = test_of(2);
        let verdict = |test: &TacticsTest| solved(test, "-+++").judge(&known("+---"), "it").verdict;
        assert_eq!(verdict(&test), Verdict::Worse);
        test.go = SearchLimits { movetime: Some(Duration::from_secs(1)), ..SearchLimits::default() }.go();
        assert_eq!(verdict(&test), Verdict::Same);
    }
}
