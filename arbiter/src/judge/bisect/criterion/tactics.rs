//! `--by tactics`: a build is bad if it solves fewer positions.

use super::{Reference, TacticsCriterion, TestResult, TestedBuild, Verdict};
use crate::cli::{Blame, CliError};
use crate::files::suite_files;
use crate::measure::evidence::tactics;
use crate::measure::evidence::tactics::{SolvedChange, SolvedSuite};
use crate::measure::tactics::TacticsSuite;
use crate::text::listed;
use crate::text::number_text::probability;

/// The most positions that are named.
const MOST_NAMED: usize = 5;

impl TacticsCriterion {
    /// Searches every position, and compares the solved positions with those of the good build.
    pub fn judge(&self, build: &TestedBuild<'_>) -> Result<TestResult, CliError> {
        let suites = suite_files::parse("tactics", &self.suites, TacticsSuite::read).usage()?;
        let mut all = Vec::new();
        for suite in &suites {
            let solved = tactics::solve(build.engine, suite, &self.limits.go(), self.concurrency, |_, _| {});
            match solved {
                Ok(solved) => all.push(solved),
                Err(error) => return Ok(TestResult::skipped(error.to_string())),
            }
        }
        Ok(judge(&all, build.reference.solved.as_deref()))
    }
}

/// Compares the solved positions with the marks of the good build. Required are those that it solved and their suite marks.
fn judge(all: &[SolvedSuite<'_>], good: Option<&str>) -> TestResult {
    let marks = all.iter().flat_map(|suite| &suite.solved).map(|solved| if *solved { '+' } else { '-' });
    let measured = Reference { solved: Some(marks.collect()), ..Reference::default() };
    let mut before = good.into_iter().flat_map(str::chars).map(|mark| mark == '+');
    let missed: Vec<&str> = all
        .iter()
        .flat_map(|now| {
            let before: Vec<bool> = before.by_ref().take(now.solved.len()).collect();
            now.missed(|index| before.get(index) == Some(&true))
        })
        .collect();
    let count: usize = all.iter().map(SolvedSuite::count).sum();
    let positions: usize = all.iter().map(|suite| suite.solved.len()).sum();
    let total = format!("{count} of {positions} solved");
    let (verdict, evidence) = match good {
        _ if !missed.is_empty() => {
            (Verdict::Bad, format!("{total}; required but not solved: {}", listed(&missed, MOST_NAMED)))
        }
        Some(good) => compare(all, good, &total),
        None => (Verdict::Good, total),
    };
    TestResult { verdict, evidence, measured }
}

/// Bad if significantly fewer positions are solved than by the good build.
fn compare(all: &[SolvedSuite<'_>], good: &str, total: &str) -> (Verdict, String) {
    let mut marks = good.chars().map(|mark| mark == '+');
    let both: Vec<_> = all.iter().map(|now| (now, marks.by_ref().take(now.solved.len()).collect())).collect();
    let SolvedChange { found, lost, test, is_regression } = SolvedChange::of(&both);
    let named = if lost.is_empty() { String::new() } else { format!(": {}", listed(&lost, MOST_NAMED)) };
    let (found, lost) = (found.len(), lost.len());
    let evidence = format!("{total}; {found} gained, {lost} lost, {}{named}", probability(test.p_value()));
    (if is_regression { Verdict::Bad } else { Verdict::Good }, evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two suites of four positions each, of which the first is required.
    fn judged(solved: &str, good: Option<&str>) -> TestResult {
        let line = |number: usize| {
            let required = if number == 0 { "c9 \"required\";" } else { "" };
            format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"n{number}\"; {required}\n")
        };
        let suite = |numbers: std::ops::Range<usize>| {
            TacticsSuite::parse("a.epd", &numbers.map(line).collect::<String>()).unwrap()
        };
        let suites = [suite(0..4), suite(4..8)];
        let marks: Vec<bool> = solved.chars().map(|mark| mark == '+').collect();
        let solved: Vec<SolvedSuite<'_>> = suites
            .iter()
            .zip(marks.chunks(4))
            .map(|(suite, solved)| SolvedSuite { suite, solved: solved.to_vec() })
            .collect();
        judge(&solved, good)
    }

    #[test]
    fn the_other_builds_are_compared_with_the_good_one() {
        let good = judged("+-++++++", None);
        assert_eq!((good.verdict, good.evidence.as_str()), (Verdict::Good, "7 of 8 solved"));
        let marks = good.measured.solved.unwrap();
        assert_eq!(marks, "+-++++++");
        let bad = judged("++------", Some(&marks));
        assert_eq!(bad.verdict, Verdict::Good);
        assert_eq!(bad.evidence, "2 of 8 solved; 1 gained, 6 lost, p = 0.125: n2, n3, n4, n5, n6 and 1 more");
        assert_eq!(judged("+-------", Some(&marks)).verdict, Verdict::Bad);
    }

    #[test]
    fn an_unsolved_required_position_is_bad_if_the_good_build_solves_it() {
        assert_eq!(judged("-+++++++", None).verdict, Verdict::Good);
        assert_eq!(judged("-+++++++", Some("-+++++++")).verdict, Verdict::Good);
        let missed = judged("-+++++++", Some("++++++++"));
        assert_eq!(missed.verdict, Verdict::Bad);
        assert_eq!(missed.evidence, "7 of 8 solved; required but not solved: n0");
    }
}
