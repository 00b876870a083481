//! The comparison of two engines on the same positions.

use super::tactics_result::TacticsResult;
use stats::McNemar;

/// The positions that only one of two engines solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsComparison {
    /// The indices of the positions that only the first solved.
    pub found: Vec<usize>,
    /// The indices of those that only the second solved.
    pub lost: Vec<usize>,
}

impl TacticsComparison {
    /// Compares the results position by position; `None`, where an engine failed, counts as not solved.
    pub fn of(first: &[Option<TacticsResult>], second: &[Option<TacticsResult>]) -> TacticsComparison {
        let solved = |results: &[Option<TacticsResult>]| -> Vec<bool> {
            results.iter().map(|result| result.as_ref().is_some_and(TacticsResult::is_solved)).collect()
        };
        TacticsComparison::of_solved(&solved(first), &solved(second))
    }

    /// Compares, position by position, whether each was solved.
    pub fn of_solved(first: &[bool], second: &[bool]) -> TacticsComparison {
        let only = |one: &[bool], other: &[bool]| {
            let both = one.iter().zip(other).enumerate();
            both.filter(|(_, (one, other))| **one && !**other).map(|(index, _)| index).collect()
        };
        TacticsComparison { found: only(first, second), lost: only(second, first) }
    }

    /// The test of whether the difference is significant.
    pub fn test(&self) -> McNemar {
        McNemar { only_first: self.found.len() as u64, only_second: self.lost.len() as u64 }
    }

    /// Whether the first solves significantly fewer.
    pub fn is_regression(&self) -> bool {
        self.lost.len() > self.found.len() && self.test().is_significant()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::measure::tactics::tactics_result::Solution;

    fn results(solved: &str) -> Vec<Option<TacticsResult>> {
        let solution = Solution { time: Duration::ZERO, nodes: 1, depth: 1 };
        let result = |letter| match letter {
            'x' => None,
            letter => Some(TacticsResult {
                answer: "e2e4".to_owned(),
                solution: (letter == '+').then_some(solution),
                nodes: 1,
                time: Duration::ZERO,
            }),
        };
        solved.chars().map(result).collect()
    }

    #[test]
    fn positions_solved_by_one_engine_only_are_listed() {
        let comparison = TacticsComparison::of(&results("++-x+"), &results("+-+++"));
        assert_eq!((comparison.found, comparison.lost), (vec![1], vec![2, 3]));
    }

    #[test]
    fn only_a_significant_loss_is_a_regression() {
        let is_regression =
            |first: &str| TacticsComparison::of(&results(first), &results("++++++")).is_regression();
        assert!(is_regression("------"));
        assert!(!is_regression("-----+"));
        assert!(!TacticsComparison::of(&results("++++++"), &results("------")).is_regression());
    }
}
