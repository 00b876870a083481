//! The tactics step: does the engine solve the positions?

use std::fs::File;

use anyhow::anyhow;

use super::baseline::{Baseline, TacticsRecord};
use super::plan::{HashedSuite, TacticsPlan};
use super::step::Step;
use super::step::{CheckOutcome, StepResult, StepVerdict};
use crate::cli::{Blame, CliError};
use crate::measure::evidence::tactics::{SolvedChange, SolvedSuite};
use crate::measure::evidence::{MeasureError, tactics};
use crate::measure::tactics::{TacticsCsv, TacticsPosition, TacticsSuite};
use crate::text::listed;
use crate::text::number_text::counted;
use crate::text::number_text::probability;
use runner::EngineConfig;

/// The most positions named in a line.
const MOST_NAMED: usize = 8;

/// Searches every position, and adds what was solved to `records`. It is a regression if a required position is not
/// solved, or if significantly fewer positions are solved than in the baseline. Required are the positions that their
/// suite marks so and that the baseline has solved, or, if the plan says so, all marked ones.
pub fn run(
    plan: &TacticsPlan,
    engine: &EngineConfig,
    baseline: Option<&Baseline>,
    csv: &mut TacticsCsv<File>,
    records: &mut Vec<TacticsRecord>,
) -> Result<StepResult, CliError> {
    let mut all = Vec::new();
    let mut fault = None;
    for HashedSuite { suite, sha256 } in &plan.suites {
        let mut written = Ok(());
        let solved = tactics::solve(engine, suite, &plan.go, plan.concurrency, |position, result| {
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
        let solved = match solved {
            Ok(solved) => solved,
            Err(error) => return broken(error),
        };
        records.push(TacticsRecord {
            suite: suite.name.clone(),
            sha256: sha256.clone(),
            limit: plan.go.to_string(),
            positions: solved.solved.len(),
            solved: solved.names().into_iter().map(str::to_owned).collect(),
        });
        all.push(solved);
    }
    match fault {
        Some(fault) => broken(MeasureError::EngineFault(fault)),
        None => Ok(judge(&all, plan.required, baseline)),
    }
}

fn broken(error: MeasureError) -> Result<StepResult, CliError> {
    StepResult::broken(Step::Tactics, error, "searches")
}

fn judge(all: &[SolvedSuite<'_>], all_required: bool, baseline: Option<&Baseline>) -> StepResult {
    let known: Vec<(&SolvedSuite<'_>, Vec<bool>)> =
        all.iter().filter_map(|now| Some((now, solved_before(now.suite, baseline?)?))).collect();
    let missed: Vec<Vec<&str>> = all
        .iter()
        .map(|now| {
            let before = baseline.and_then(|baseline| solved_before(now.suite, baseline));
            now.missed(|index| all_required || before.as_ref().is_some_and(|solved| solved[index]))
        })
        .collect();
    let change = SolvedChange::of(&known);
    let is_worse = change.is_regression;
    let verdict = if is_worse || missed.iter().any(|names| !names.is_empty()) {
        StepVerdict::Regression
    } else {
        StepVerdict::Passed
    };
    let positions: usize = all.iter().map(|now| now.solved.len()).sum();
    let solved: usize = all.iter().map(SolvedSuite::count).sum();
    let mut sentence = format!("{solved} of {} solved", counted(positions as u64, "position"));
    if !known.is_empty() {
        sentence += &compared(&change);
    }
    let mut result = StepResult::new(Step::Tactics, verdict, sentence);
    let all_missed = missed.concat();
    for (word, names) in
        [("required but not solved", &all_missed), ("lost", &change.lost), ("gained", &change.found)]
    {
        if !names.is_empty() {
            result = result.detail(format!("{word}: {}", listed(names, MOST_NAMED)));
        }
    }
    if baseline.is_none() && !all_required {
        // What a first baseline is accepted with.
        let marked: Vec<&str> = all.iter().flat_map(|now| now.missed(|_| true)).collect();
        if !marked.is_empty() {
            let (count, names) = (marked.len(), listed(&marked, MOST_NAMED));
            result = result.detail(format!("{count} marked as required in a suite, but not solved: {names}"));
        }
    }
    for (now, missed) in all.iter().zip(&missed) {
        let outcome = CheckOutcome::of(missed.is_empty(), || format!("not solved: {}", missed.join(", ")));
        result = result.check(format!("{}: required positions", now.suite.name), outcome);
    }
    if known.is_empty() {
        return result;
    }
    let sentence = result.sentence.clone();
    result.check("no loss from the baseline", CheckOutcome::of(!is_worse, || sentence))
}

/// Which positions of a suite the baseline had solved; `None` if the baseline lacks the suite.
fn solved_before(suite: &TacticsSuite, baseline: &Baseline) -> Option<Vec<bool>> {
    let record = baseline.tactics_of(&suite.name)?;
    let was_solved = |position: &TacticsPosition| record.solved.contains(&position.id);
    Some(suite.positions.iter().map(was_solved).collect())
}

/// `, 2 lost and 1 gained since the baseline (p = 1.000, not significant)`.
fn compared(SolvedChange { lost, found, test, .. }: &SolvedChange<'_>) -> String {
    if lost.is_empty() && found.is_empty() {
        return ", the same as in the baseline".to_owned();
    }
    let (lost, found) = (lost.len(), found.len());
    let significance = if test.is_significant() { "significant" } else { "not significant" };
    format!(
        ", {lost} lost and {found} gained since the baseline ({}, {significance})",
        probability(test.p_value())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten positions, the first of them required.
    fn suite() -> TacticsSuite {
        let line = |number: usize| {
            let required = if number == 0 { "c9 \"required\";" } else { "" };
            format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"n{number}\"; {required}\n")
        };
        TacticsSuite::parse("a.epd", &(0..10).map(line).collect::<String>()).unwrap()
    }

    fn baseline(solved: &[usize]) -> Baseline {
        let record = TacticsRecord {
            suite: "a.epd".to_owned(),
            sha256: String::new(),
            limit: String::new(),
            positions: 10,
            solved: solved.iter().map(|number| format!("n{number}")).collect(),
        };
        Baseline { tactics: vec![record], ..Baseline::of_engine("mock") }
    }

    fn judged(solved: &[usize], baseline: Option<&Baseline>) -> StepResult {
        let suite = suite();
        let solved = (0..10).map(|index| solved.contains(&index)).collect();
        judge(&[SolvedSuite { suite: &suite, solved }], false, baseline)
    }

    #[test]
    fn required_is_what_the_baseline_has_solved_or_all_that_is_marked_if_the_file_says_so() {
        let first = judged(&[1, 2], None);
        assert_eq!(first.verdict, StepVerdict::Passed);
        assert_eq!(first.details, ["1 marked as required in a suite, but not solved: n0"]);
        assert_eq!(judged(&[1, 2], Some(&baseline(&[1, 2, 3]))).verdict, StepVerdict::Passed);
        let missed = judged(&[1, 2], Some(&baseline(&[0, 1])));
        assert_eq!(missed.verdict, StepVerdict::Regression);
        assert!(missed.details.contains(&"required but not solved: n0".to_owned()), "{missed:?}");
        let suite = suite();
        let weak = [SolvedSuite { suite: &suite, solved: vec![false; 10] }];
        assert_eq!(judge(&weak, true, None).details, ["required but not solved: n0"]);
    }

    #[test]
    fn only_a_significant_loss_is_a_regression() {
        let all: Vec<usize> = (0..10).collect();
        let known = baseline(&all);
        let few = judged(&[0, 1, 2, 3, 4, 5, 6, 7], Some(&known));
        assert_eq!(few.verdict, StepVerdict::Passed);
        assert!(few.details.contains(&"lost: n8, n9".to_owned()), "{few:?}");
        let many = judged(&[0, 1, 2], Some(&known));
        assert_eq!(many.verdict, StepVerdict::Regression);
        assert!(many.sentence.ends_with("(p = 0.016, significant)"), "{}", many.sentence);
        let gained = judged(&all, Some(&baseline(&[0])));
        assert_eq!(gained.verdict, StepVerdict::Passed);
    }

    #[test]
    fn a_long_list_is_cut() {
        let gained = judged(&(0..10).collect::<Vec<_>>(), Some(&baseline(&[0])));
        assert_eq!(gained.details, ["gained: n1, n2, n3, n4, n5, n6, n7, n8 and 1 more"]);
    }
}
