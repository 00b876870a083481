//! An engine's answer to a tactical position, and when the engine found it.

use std::time::Duration;

use anyhow::{Result, anyhow};

use super::mate_audit::{MateClaims, claimed};
use super::tactics_suite::{Goal, TacticsPosition};
use crate::engines::EngineSession;
use crate::results::SearchEnd;
use runner::{PositionLine, SearchTask};
use uci::{Go, Info, UciMove};

/// Time beyond `movetime` after which an engine counts as hung.
const GRACE: Duration = Duration::from_secs(5);

const TIMEOUT: Duration = Duration::from_mins(10);

pub fn solve(session: &mut EngineSession, position: &TacticsPosition, go: &Go) -> Result<TacticsResult> {
    session.set_variant(position.variant)?;
    session.new_game()?;
    let mut lines = Vec::new();
    let timeout = go.movetime.map_or(TIMEOUT, |movetime| movetime + GRACE);
    let line = PositionLine::from_fen(position.fen.as_str());
    let (time, best) = session.watch_search(SearchTask::Of(&line, go), timeout, |info| {
        let is_best = info.multipv.is_none_or(|number| number == 1);
        if is_best && (info.score.is_some() || !info.pv.is_empty()) {
            lines.push(info);
        }
    })?;
    let best = best.map_err(|line| anyhow!("expected `bestmove` with a move, found `{line}`"))?;
    position.check_legal(best.as_str()).map_err(|error| anyhow!("`bestmove`: {error}"))?;
    Ok(TacticsResult::judge(position, best, &lines, time))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TacticsResult {
    pub answer: String,
    /// When the engine found the solution and kept it; `None` if it did not solve the position.
    pub solution: Option<Solution>,
    pub mates: MateClaims,
    pub nodes: u64,
    pub time: Duration,
    /// The maximum depth that the engine reported.
    pub depth: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    pub time: Duration,
    pub nodes: u64,
    pub depth: u32,
}

impl TacticsResult {
    /// Judges an answer by the move played and the `info` lines with a score or a PV: the position is solved if the move
    /// and the last score meet the goal. The solution was found at the line from which on all lines meet the goal.
    fn judge(position: &TacticsPosition, best: UciMove, lines: &[Info], time: Duration) -> TacticsResult {
        let (answer, goal) = (best.to_string(), &position.goal);
        let mates = MateClaims::of(position, lines);
        let solved = goal.is_met_by(&answer, mates.last);
        let telling = lines.iter().rev().filter_map(|line| Some((line, meets(goal, line)?)));
        let holding = telling.take_while(|(_, meets)| *meets).last().map(|(line, _)| line);
        let solution = solved.then(|| {
            // The engine may have played the move without reporting it before.
            let line = holding.or(lines.last());
            Solution {
                time: holding.and_then(|line| line.time).unwrap_or(time),
                nodes: line.and_then(|line| line.nodes).unwrap_or(0),
                depth: line.and_then(|line| line.depth).unwrap_or(0),
            }
        });
        let nodes = lines.iter().filter_map(|line| line.nodes).max().unwrap_or(0);
        let depth = lines.iter().filter_map(|line| line.depth).max();
        TacticsResult { answer, solution, mates, nodes, time, depth }
    }

    pub fn end(&self) -> SearchEnd {
        let TacticsResult { nodes, time, depth, .. } = *self;
        let has_mate = self.mates.last.is_some();
        SearchEnd { nodes: (nodes > 0).then_some(nodes), depth, time, has_mate }
    }

    pub fn is_solved(&self) -> bool {
        self.solution.is_some()
    }
}

impl TacticsPosition {
    /// The points of a result, and the maximum points.
    pub fn points_and_most(&self, result: Option<&TacticsResult>) -> [u32; 2] {
        [result.map_or(0, |result| self.points_for(&result.answer)), self.max_points()]
    }
}

/// Whether a line meets the goal; `None` if it lacks the move or the score to decide that.
fn meets(goal: &Goal, line: &Info) -> Option<bool> {
    match goal {
        Goal::Mate(_) => line.score.map(|_| goal.is_met_by("", claimed(line))),
        Goal::Best(_) | Goal::Avoid(_) => line.pv.first().map(|first| goal.is_met_by(first.as_str(), None)),
    }
}
