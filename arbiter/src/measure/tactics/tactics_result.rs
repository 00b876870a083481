//! The result of an engine on a tactical position.

use std::time::Duration;

use super::tactics_suite::Goal;
use stats::McNemar;
use uci::{Info, ScoreValue, UciMove};

/// An engine's whole answer to one `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The move of `bestmove`, which is legal.
    pub best: UciMove,
    /// Its `info` lines with a principal variation, in their order.
    pub lines: Vec<Info>,
    /// Time from `go` to `bestmove`, by Arbiter's clock.
    pub time: Duration,
}

/// Whether and when a position was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsResult {
    /// The move played, in UCI notation.
    pub answer: String,
    /// When the engine found the solution and kept it; `None` when the position was not solved.
    pub solution: Option<Solution>,
    /// Nodes of the whole search, as the engine reported them.
    pub nodes: u64,
    /// Time from `go` to `bestmove`, by Arbiter's clock.
    pub time: Duration,
}

/// The moment a solution was found, as the engine reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Time since `go`.
    pub time: Duration,
    pub nodes: u64,
    /// Depth of the iteration in plies.
    pub depth: u32,
}

impl TacticsResult {
    /// Judges an attempt: the position is solved when the move played meets the goal. The solution dates from the first
    /// of the last lines that all meet the goal.
    pub fn judge(goal: &Goal, attempt: &Attempt) -> TacticsResult {
        let answer = attempt.best.to_string();
        let last = attempt.lines.last();
        let solved = goal.is_met_by(&answer, last.and_then(mate));
        let holding = attempt.lines.iter().rev().take_while(|line| meets(goal, line)).last();
        let solution = solved.then(|| match holding {
            Some(line) => Solution {
                time: line.time.unwrap_or(attempt.time),
                nodes: line.nodes.unwrap_or(0),
                depth: line.depth.unwrap_or(0),
            },
            // The engine played the move without reporting it before.
            None => Solution {
                time: attempt.time,
                nodes: last.and_then(|line| line.nodes).unwrap_or(0),
                depth: last.and_then(|line| line.depth).unwrap_or(0),
            },
        });
        let nodes = attempt.lines.iter().filter_map(|line| line.nodes).max().unwrap_or(0);
        TacticsResult { answer, solution, nodes, time: attempt.time }
    }

    /// Whether the move played solves the position.
    pub fn is_solved(&self) -> bool {
        self.solution.is_some()
    }
}

fn meets(goal: &Goal, line: &Info) -> bool {
    line.pv.first().is_some_and(|first| goal.is_met_by(first.as_str(), mate(line)))
}

fn mate(line: &Info) -> Option<i32> {
    match line.score?.value {
        ScoreValue::Mate(moves) => Some(moves),
        ScoreValue::Centipawns(_) => None,
    }
}

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
    use super::*;
    use uci::Message;

    fn attempt(lines: &[&str], best: &str) -> Attempt {
        let read = |line: &&str| match line.parse() {
            Ok(Message::Info(info)) => *info,
            other => panic!("{line}: {other:?}"),
        };
        let time = Duration::from_millis(100);
        Attempt { best: best.parse().unwrap(), lines: lines.iter().map(read).collect(), time }
    }

    fn best(text: &str) -> Goal {
        Goal::Best(vec![text.to_owned()])
    }

    const LINES: [&str; 4] = [
        "info depth 1 time 1 nodes 10 score cp 0 pv d3g6",
        "info depth 2 time 2 nodes 20 score cp 0 pv a2a3",
        "info depth 3 time 3 nodes 30 score cp 200 pv d3g6 h7g6",
        "info depth 4 time 4 nodes 40 score mate 3 pv d3g6",
    ];

    #[test]
    fn a_solution_counts_from_where_it_stayed_to_the_end() {
        let result = TacticsResult::judge(&best("d3g6"), &attempt(&LINES, "d3g6"));
        let expected = Solution { time: Duration::from_millis(3), nodes: 30, depth: 3 };
        assert_eq!(result.solution, Some(expected));
        assert_eq!(result.nodes, 40);
    }

    #[test]
    fn the_move_played_decides_and_not_the_line_announced() {
        assert!(!TacticsResult::judge(&best("d3g6"), &attempt(&LINES, "a2a3")).is_solved());
        let result = TacticsResult::judge(&best("a2a3"), &attempt(&LINES, "a2a3"));
        assert_eq!(result.solution.unwrap().time, Duration::from_millis(100));
    }

    #[test]
    fn a_mate_must_be_announced_short_enough() {
        assert!(TacticsResult::judge(&Goal::Mate(3), &attempt(&LINES, "d3g6")).is_solved());
        assert!(!TacticsResult::judge(&Goal::Mate(2), &attempt(&LINES, "d3g6")).is_solved());
    }

    #[test]
    fn another_move_than_the_one_to_avoid_solves() {
        let goal = Goal::Avoid(vec!["a2a3".to_owned()]);
        assert!(!TacticsResult::judge(&goal, &attempt(&LINES, "a2a3")).is_solved());
        assert!(TacticsResult::judge(&goal, &attempt(&LINES, "d3g6")).is_solved());
    }
}

#[cfg(test)]
mod tactics_comparison_tests {
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
