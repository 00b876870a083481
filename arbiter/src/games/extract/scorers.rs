//! Engines that score positions.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use super::collector::QuietPosition;
use crate::engines::EngineSession;
use runner::process::EngineError;
use uci::{Go, Message, ScoreValue};

/// The longest search of one position; a few thousand nodes are usual.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Processes of one engine that score positions in parallel.
#[derive(Debug)]
pub struct Scorers {
    sessions: Vec<EngineSession>,
    nodes: u64,
    max_score: i32,
}

impl Scorers {
    /// Starts `count` processes with `start`, to search each position with `nodes` nodes. Positions with a score above
    /// `max_score` centipawns for either side are dropped.
    pub fn start<E>(
        count: usize,
        nodes: u64,
        max_score: i32,
        start: impl Fn() -> Result<EngineSession, E>,
    ) -> Result<Scorers, E> {
        let sessions = (0..count.max(1)).map(|_| start()).collect::<Result<Vec<_>, E>>()?;
        Ok(Scorers { sessions, nodes, max_score })
    }

    /// Number of positions that keep all processes busy for some seconds.
    pub fn batch(&self) -> usize {
        1024 * self.sessions.len()
    }

    /// The positions with the engine's scores, in their order, without those of a mate or a score above the limit.
    pub fn score(&mut self, positions: Vec<QuietPosition>) -> Result<Vec<QuietPosition>, EngineError> {
        let share = positions.len().div_ceil(self.sessions.len()).max(1);
        let Scorers { sessions, nodes, .. } = self;
        let scores: Vec<Result<Vec<Option<i32>>, EngineError>> = thread::scope(|scope| {
            let parts = positions.chunks(share).zip(sessions);
            let workers: Vec<_> =
                parts.map(|(part, session)| scope.spawn(|| score_all(session, part, *nodes))).collect();
            // Were the scores of one worker missing, those of the next would go to its positions.
            let join = |worker: thread::ScopedJoinHandle<_>| {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            workers.into_iter().map(join).collect()
        });
        let scores = scores.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        let is_open = |score: &i32| score.abs() <= self.max_score;
        let scored = positions.into_iter().zip(scores).filter_map(|(position, score)| {
            Some(QuietPosition { score: Some(score.filter(is_open)?), ..position })
        });
        Ok(scored.collect())
    }

    /// Asks the engines to quit.
    pub fn quit(self) {
        self.sessions.into_iter().for_each(EngineSession::quit);
    }
}

/// Searches one position after another. The hash table is not cleared in between: that would take longer than the
/// searches.
fn score_all(
    session: &mut EngineSession,
    positions: &[QuietPosition],
    nodes: u64,
) -> Result<Vec<Option<i32>>, EngineError> {
    session.new_game()?;
    positions.iter().map(|position| score(session, &position.board, nodes)).collect()
}

/// The last score of a search, in centipawns for the side to move; `None` for a mate or no score.
fn score(session: &mut EngineSession, board: &str, nodes: u64) -> Result<Option<i32>, EngineError> {
    let go = Go { nodes: Some(nodes), ..Go::default() };
    let mut last = None;
    session.ask(&format!("position fen {board} 0 1\n{go}\n"), TIMEOUT, |line| match line.parse() {
        Ok(Message::Info(info)) => {
            if info.multipv.is_none_or(|number| number == 1)
                && let Some(score) = info.score
            {
                last = Some(score.value);
            }
            ControlFlow::Continue(())
        }
        _ if line.starts_with("bestmove") => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })?;
    Ok(match last {
        Some(ScoreValue::Centipawns(score)) => Some(score),
        _ => None,
    })
}
