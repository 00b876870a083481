//! Does the engine still find the tactics?

use std::fs::File;

use super::baseline::{Baseline, TacticsRecord};
use super::contestants;
use super::plan::{Printed, TacticsPlan};
use super::step::Step;
use super::step_result::{CheckOutcome, StepResult, StepVerdict};
use crate::cli::{Blame, CliError};
use crate::engines::sessions;
use crate::tactics::engine_solver::solve_all;
use crate::tactics::{TacticsComparison, TacticsCsv, TacticsPosition, TacticsResult, TacticsSuite};
use crate::text::number_text::counted;
use runner::EngineConfig;

/// So many positions are named in a line.
const MOST_NAMED: usize = 8;

/// What became of a suite.
struct Solved<'a> {
    suite: &'a TacticsSuite,
    solved: Vec<bool>,
}

/// Gives every position to the engine, and adds what was solved to `records`. A required position that is missed is a
/// regression, and so is a loss against the baseline that is more than chance.
///
/// # Errors
/// The engine does not take its options, or the table of the answers cannot be written.
pub fn run(
    plan: &TacticsPlan,
    engine: &EngineConfig,
    baseline: Option<&Baseline>,
    csv: &mut TacticsCsv<File>,
    records: &mut Vec<TacticsRecord>,
) -> Result<StepResult, CliError> {
    let mut all = Vec::new();
    let mut broke = None;
    for Printed { suite, sha256 } in &plan.suites {
        let solved = match solve(plan, engine, suite, csv, &mut broke)? {
            Ok(solved) => solved,
            Err(broke) => return Ok(broken(broke)),
        };
        records.push(TacticsRecord {
            suite: suite.name.clone(),
            sha256: sha256.clone(),
            limit: plan.go.to_string(),
            positions: solved.len(),
            solved: ids(suite, |index| solved[index]),
        });
        all.push(Solved { suite, solved });
    }
    match broke {
        Some(broke) => Ok(broken(broke)),
        None => Ok(judge(&all, baseline)),
    }
}

/// Which positions of a suite are solved. An engine that broke on one solves it not; the first time is told.
fn solve(
    plan: &TacticsPlan,
    engine: &EngineConfig,
    suite: &TacticsSuite,
    csv: &mut TacticsCsv<File>,
    broke: &mut Option<String>,
) -> Result<contestants::Answered<Vec<bool>>, CliError> {
    let mut solved = vec![false; suite.positions.len()];
    let mut written = Ok(());
    let start = || sessions::start(engine);
    let asked = solve_all(&suite.positions, &plan.go, plan.concurrency, start, |index, result| {
        let position = &suite.positions[index];
        if let Err(error) = &result {
            broke.get_or_insert_with(|| {
                format!("{} ({}:{}): {error}", position.id, suite.name, position.line)
            });
        }
        let result = result.ok();
        if written.is_ok() {
            written = csv.write(&engine.name, &suite.name, position, result.as_ref());
        }
        solved[index] = result.as_ref().is_some_and(TacticsResult::is_solved);
    });
    written.fault()?;
    match asked {
        Ok(()) => Ok(Ok(solved)),
        Err(error) => contestants::told_apart(error).map(Err),
    }
}

fn judge(all: &[Solved<'_>], baseline: Option<&Baseline>) -> StepResult {
    let known: Vec<(&Solved<'_>, Vec<bool>)> =
        all.iter().filter_map(|now| Some((now, solved_before(now.suite, baseline?)?))).collect();
    let missed: Vec<String> = all.iter().flat_map(|now| now.required_and(false)).collect();
    let [now, before]: [Vec<bool>; 2] = [
        known.iter().flat_map(|(now, _)| now.solved.clone()).collect(),
        known.iter().flat_map(|(_, before)| before.clone()).collect(),
    ];
    let comparison = TacticsComparison::of_solved(&now, &before);
    let names: Vec<&str> =
        known.iter().flat_map(|(now, _)| &now.suite.positions).map(|position| position.id.as_str()).collect();
    let named = |indices: &[usize]| list(indices.iter().map(|index| names[*index]));
    let is_worse = comparison.is_regression();
    let verdict = if is_worse || !missed.is_empty() { StepVerdict::Regression } else { StepVerdict::Passed };
    let positions: usize = all.iter().map(|now| now.solved.len()).sum();
    let solved = all.iter().flat_map(|now| &now.solved).filter(|solved| **solved).count();
    let mut sentence = format!("{solved} of {} solved", counted(positions as u64, "position"));
    if !known.is_empty() {
        sentence += &compared(&comparison);
    }
    let mut result = StepResult::new(Step::Tactics, verdict, sentence);
    for (word, list) in [
        ("required, missed", list(missed.iter().map(String::as_str))),
        ("lost", named(&comparison.lost)),
        ("found", named(&comparison.found)),
    ] {
        if !list.is_empty() {
            result = result.detail(format!("{word}: {list}"));
        }
    }
    for now in all {
        result = now.check(result);
    }
    if known.is_empty() {
        return result;
    }
    let sentence = result.sentence.clone();
    result.check("no loss against the baseline", CheckOutcome::of(!is_worse, || sentence))
}

impl Solved<'_> {
    /// The required positions that are solved, or are not.
    fn required_and(&self, solved: bool) -> Vec<String> {
        let both = self.suite.positions.iter().zip(&self.solved);
        both.filter(|(position, it)| position.required && **it == solved)
            .map(|(position, _)| position.id.clone())
            .collect()
    }

    fn check(&self, result: StepResult) -> StepResult {
        let missed = self.required_and(false);
        let outcome = CheckOutcome::of(missed.is_empty(), || format!("missed: {}", missed.join(", ")));
        result.check(format!("{}: required positions", self.suite.name), outcome)
    }
}

/// What the baseline had solved of a suite, position by position; `None` where it does not know the suite.
fn solved_before(suite: &TacticsSuite, baseline: &Baseline) -> Option<Vec<bool>> {
    let record = baseline.tactics_of(&suite.name)?;
    let was_solved = |position: &TacticsPosition| record.solved.contains(&position.id);
    Some(suite.positions.iter().map(was_solved).collect())
}

fn ids(suite: &TacticsSuite, is_meant: impl Fn(usize) -> bool) -> Vec<String> {
    let meant = suite.positions.iter().enumerate().filter(|(index, _)| is_meant(*index));
    meant.map(|(_, position)| position.id.clone()).collect()
}

/// `, 2 lost and 1 found since the baseline (p = 1.000, may be chance)`.
fn compared(comparison: &TacticsComparison) -> String {
    let (lost, found) = (comparison.lost.len(), comparison.found.len());
    if lost + found == 0 {
        return ", the same ones as in the baseline".to_owned();
    }
    let test = comparison.test();
    let chance = if test.is_significant() { "more than chance" } else { "may be chance" };
    format!(", {lost} lost and {found} found since the baseline (p = {:.3}, {chance})", test.p_value())
}

/// The first names of a list.
fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let named = names.take(MOST_NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}

fn broken(what_it_did: String) -> StepResult {
    StepResult::new(Step::Tactics, StepVerdict::Broken, what_it_did).check_as_a_whole("answers")
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
        judge(&[Solved { suite: &suite, solved }], baseline)
    }

    #[test]
    fn a_required_position_that_is_missed_is_a_regression_even_without_a_baseline() {
        assert_eq!(judged(&[0], None).verdict, StepVerdict::Passed);
        let missed = judged(&[1, 2], None);
        assert_eq!(missed.verdict, StepVerdict::Regression);
        assert_eq!(missed.details, ["required, missed: n0"]);
    }

    #[test]
    fn only_a_loss_that_is_more_than_chance_is_a_regression() {
        let all: Vec<usize> = (0..10).collect();
        let known = baseline(&all);
        let few = judged(&[0, 1, 2, 3, 4, 5, 6, 7], Some(&known));
        assert_eq!(few.verdict, StepVerdict::Passed);
        assert!(few.details.contains(&"lost: n8, n9".to_owned()), "{few:?}");
        let many = judged(&[0, 1, 2], Some(&known));
        assert_eq!(many.verdict, StepVerdict::Regression);
        assert!(many.sentence.ends_with("(p = 0.016, more than chance)"), "{}", many.sentence);
        let gained = judged(&all, Some(&baseline(&[0])));
        assert_eq!(gained.verdict, StepVerdict::Passed);
    }

    #[test]
    fn a_long_list_is_cut() {
        let gained = judged(&(0..10).collect::<Vec<_>>(), Some(&baseline(&[0])));
        assert_eq!(gained.details, ["found: n1, n2, n3, n4, n5, n6, n7, n8 and 1 more"]);
    }
}
