//! A tactical position solved by an engine: its answer, and when it found it.

use std::ops::ControlFlow;
use std::time::Duration;

use thiserror::Error;

use super::tactics_suite::{Goal, TacticsPosition};
use crate::engines::EngineSession;
use referee::IllegalMove;
use runner::process::EngineError;
use uci::{BestMove, Go, Info, Message, ScoreValue, UciMove};

/// Time beyond `movetime` after which an engine counts as hung.
const GRACE: Duration = Duration::from_secs(5);

/// The longest search without `movetime`.
const TIMEOUT: Duration = Duration::from_mins(10);

#[derive(Debug, Error)]
pub enum SolveError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its `bestmove` has no move, or none that can be read.
    #[error("expected `bestmove` with a move, found `{0}`")]
    NoMove(String),
    #[error("`bestmove`: {0}")]
    Illegal(#[from] IllegalMove),
}

pub fn solve(
    session: &mut EngineSession,
    position: &TacticsPosition,
    go: &Go,
) -> Result<TacticsResult, SolveError> {
    session.new_game()?;
    let (mut lines, mut answer) = (Vec::new(), String::new());
    let timeout = go.movetime.map_or(TIMEOUT, |movetime| movetime + GRACE);
    let question = format!("position fen {}\n{go}\n", position.fen);
    let time = session.ask(&question, timeout, |line| match line.parse() {
        Ok(Message::Info(info)) if !info.pv.is_empty() && info.multipv.is_none_or(|number| number == 1) => {
            lines.push(*info);
            ControlFlow::Continue(())
        }
        _ if line.trim_start().starts_with("bestmove") => {
            line.trim().clone_into(&mut answer);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })?;
    let Ok(Message::BestMove(BestMove { best: Some(best), .. })) = answer.parse() else {
        return Err(SolveError::NoMove(answer));
    };
    position.check_legal(best.as_str())?;
    Ok(TacticsResult::judge(&position.goal, &Attempt { best, lines, time }))
}

/// An engine's whole answer to one `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub best: UciMove,
    /// Its `info` lines with a principal variation, in their order.
    pub lines: Vec<Info>,
    /// Time from `go` to `bestmove`, by Arbiter's clock.
    pub time: Duration,
}

/// Whether and when a position was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TacticsResult {
    pub answer: String,
    /// When the engine found the solution and kept it; `None` when the position was not solved.
    pub solution: Option<Solution>,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    pub time: Duration,
    pub nodes: u64,
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

#[cfg(test)]
mod tests {
    use super::*;

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
