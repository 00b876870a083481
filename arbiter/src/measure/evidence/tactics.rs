//! The tactics of a build: which positions it solves.

use super::measure_error::{MeasureError, start};
use crate::measure::tactics::engine_solver::solve_all;
use crate::measure::tactics::{SolveError, TacticsComparison, TacticsPosition, TacticsResult, TacticsSuite};
use runner::EngineConfig;
use stats::McNemar;
use uci::Go;

/// A suite with the positions that were solved.
#[derive(Clone, Debug)]
pub struct SolvedSuite<'a> {
    pub suite: &'a TacticsSuite,
    /// Which positions were solved, in the order of the suite.
    pub solved: Vec<bool>,
}

/// The comparison of two builds on the same positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedChange<'a> {
    /// The names of the positions that only the build under test solved.
    pub found: Vec<&'a str>,
    /// The names of the positions that only the other build solved.
    pub lost: Vec<&'a str>,
    pub test: McNemar,
    /// Whether the build solves significantly fewer.
    pub is_regression: bool,
}

/// Searches every position of a suite, `concurrency` at the same time. `visit` gets each result as soon as it is known.
/// After an engine fault the position counts as not solved, and the engine is restarted.
pub fn solve<'a>(
    engine: &EngineConfig,
    suite: &'a TacticsSuite,
    go: &Go,
    concurrency: usize,
    mut visit: impl FnMut(&TacticsPosition, Result<TacticsResult, SolveError>),
) -> Result<SolvedSuite<'a>, MeasureError> {
    let mut solved = vec![false; suite.positions.len()];
    solve_all(
        &suite.positions,
        go,
        concurrency,
        || start(engine),
        |index, result| {
            solved[index] = result.as_ref().is_ok_and(TacticsResult::is_solved);
            visit(&suite.positions[index], result);
        },
    )?;
    Ok(SolvedSuite { suite, solved })
}

impl<'a> SolvedSuite<'a> {
    /// The number of solved positions.
    pub fn count(&self) -> usize {
        self.solved.iter().filter(|solved| **solved).count()
    }

    /// The names of the positions that the suite marks as required and `is_required`, by its index, and that were not
    /// solved.
    pub fn missed(&self, is_required: impl Fn(usize) -> bool) -> Vec<&'a str> {
        let all = self.suite.positions.iter().zip(&self.solved).enumerate();
        let missed =
            all.filter(|(index, (position, solved))| position.required && !**solved && is_required(*index));
        missed.map(|(_, (position, _))| &*position.id).collect()
    }

    /// The names of the positions that were solved.
    pub fn names(&self) -> Vec<&'a str> {
        let both = self.suite.positions.iter().zip(&self.solved);
        both.filter(|(_, solved)| **solved).map(|(position, _)| &*position.id).collect()
    }
}

impl<'a> SolvedChange<'a> {
    /// Compares the solved positions with those of another build, suite by suite, in the order of the positions.
    pub fn of(suites: &[(&SolvedSuite<'a>, Vec<bool>)]) -> SolvedChange<'a> {
        let now: Vec<bool> = suites.iter().flat_map(|(now, _)| now.solved.clone()).collect();
        let other: Vec<bool> = suites.iter().flat_map(|(_, other)| other.clone()).collect();
        let positions: Vec<&'a TacticsPosition> =
            suites.iter().flat_map(|(now, _)| &now.suite.positions).collect();
        let comparison = TacticsComparison::of_solved(&now, &other);
        let named = |indices: &[usize]| indices.iter().map(|index| &*positions[*index].id).collect();
        SolvedChange {
            found: named(&comparison.found),
            lost: named(&comparison.lost),
            test: comparison.test(),
            is_regression: comparison.is_regression(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_names_its_positions_across_suites() {
        let line =
            |name: &str| format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"{name}\"; c9 \"required\";\n");
        let suite = |names: [&str; 2]| TacticsSuite::parse("x", &names.map(line).concat()).unwrap();
        let (one, two) = (suite(["a", "b"]), suite(["c", "d"]));
        let first = SolvedSuite { suite: &one, solved: vec![true, false] };
        let second = SolvedSuite { suite: &two, solved: vec![true, false] };
        assert_eq!((first.count(), first.names(), second.missed(|_| true)), (1, vec!["a"], vec!["d"]));
        assert_eq!(second.missed(|index| index == 0), Vec::<&str>::new());
        let change = SolvedChange::of(&[(&first, vec![true, true]), (&second, vec![false, false])]);
        assert_eq!((change.found, change.lost, change.is_regression), (vec!["c"], vec!["b"], false));
    }
}
