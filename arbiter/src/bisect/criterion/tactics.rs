//! Does a build still find the solutions?

use super::{Judgement, SolvingCriterion, Subject, Verdict, Yardstick};
use crate::cli::{Blame, CliError};
use crate::engines::sessions;
use crate::files::suite_files;
use crate::tactics::engine_solver::solve_all;
use crate::tactics::{TacticsPosition, TacticsResult, TacticsSuite};
use stats::McNemar;

/// How many of the positions that were lost are named.
const NAMED: usize = 5;

impl SolvingCriterion {
    /// Gives every position to the build, and holds what it solves against what the good one does.
    ///
    /// # Errors
    /// A suite cannot be read.
    pub fn judge(&self, subject: &Subject<'_>) -> Result<Judgement, CliError> {
        let mut positions: Vec<TacticsPosition> = Vec::new();
        for (name, text) in suite_files::read("tactics", &self.suites).usage()? {
            positions.extend(TacticsSuite::parse(&name, &text).usage()?.positions);
        }
        let mut solved = vec![false; positions.len()];
        let start = || sessions::start(subject.engine);
        let all = solve_all(&positions, &self.limits.go(), self.concurrency, start, |index, result| {
            solved[index] = result.as_ref().is_ok_and(TacticsResult::is_solved);
        });
        if let Err(error) = all {
            return Ok(Judgement::skipped(format!("{error:#}")));
        }
        let required: Vec<&str> =
            names(positions.iter().zip(&solved).filter(|(position, solved)| position.required && !**solved));
        let total = format!("{} of {} solved", solved.iter().filter(|solved| **solved).count(), solved.len());
        let achieved = Yardstick {
            solved: Some(solved.iter().map(|solved| if *solved { '+' } else { '-' }).collect()),
            ..Yardstick::default()
        };
        let (verdict, evidence) = match &subject.yardstick.solved {
            _ if !required.is_empty() => {
                (Verdict::Bad, format!("{total}; required and missed: {}", listed(&required)))
            }
            Some(good) => compare(&positions, &solved, good, &total),
            None => (Verdict::Good, total),
        };
        Ok(Judgement { verdict, evidence, achieved })
    }
}

/// Whether fewer positions are solved than by the good build, and more than chance explains.
fn compare(positions: &[TacticsPosition], solved: &[bool], good: &str, total: &str) -> (Verdict, String) {
    let both = || positions.iter().zip(solved).zip(good.chars().map(|mark| mark == '+'));
    let lost = names(both().filter(|((_, now), before)| *before && !**now).map(|(now, _)| now));
    let found = both().filter(|((_, now), before)| !before && **now).count();
    let test = McNemar { only_first: found as u64, only_second: lost.len() as u64 };
    let named = if lost.is_empty() { String::new() } else { format!(": {}", listed(&lost)) };
    let evidence =
        format!("{total}; {found} found and {} lost, p = {:.3}{named}", lost.len(), test.p_value());
    let is_worse = lost.len() > found && test.is_significant();
    (if is_worse { Verdict::Bad } else { Verdict::Good }, evidence)
}

fn names<'a>(positions: impl Iterator<Item = (&'a TacticsPosition, &'a bool)>) -> Vec<&'a str> {
    positions.map(|(position, _)| position.id.as_str()).collect()
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(", ");
    if more > 0 { format!("{named}, and {more} more") } else { named }
}
