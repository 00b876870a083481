//! Engines that solve tactical positions.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::tactics_result::{Attempt, TacticsResult};
use super::tactics_suite::TacticsPosition;
use crate::engines::EngineSession;
use referee::IllegalMove;
use runner::process::EngineError;
use uci::{BestMove, Go, Message};

/// Time beyond `movetime` after which an engine counts as hung.
const GRACE: Duration = Duration::from_secs(5);

/// The longest search without `movetime`.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Why an engine gave no answer that counts.
#[derive(Debug, Error)]
pub enum SolveError {
    /// It did not answer or has exited.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its `bestmove` has no move, or none that can be read.
    #[error("expected `bestmove` with a move, found `{0}`")]
    NoMove(String),
    #[error("`bestmove`: {0}")]
    Illegal(#[from] IllegalMove),
}

/// Lets an engine search a position in a new game, and judges the answer.
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

/// Lets `concurrency` engine processes, which `start` starts, search all positions. Calls `visit` on this thread with the
/// index and result of each position as soon as it is done. An engine that failed is started again.
pub fn solve_all<E: Send>(
    positions: &[TacticsPosition],
    go: &Go,
    concurrency: usize,
    start: impl Fn() -> Result<EngineSession, E> + Sync,
    mut visit: impl FnMut(usize, Result<TacticsResult, SolveError>),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let work = |results: Sender<(usize, Result<TacticsResult, SolveError>)>| {
        let mut idle = None;
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(position) = positions.get(index)
        {
            let mut session = idle.take().map_or_else(&start, Ok)?;
            let result = solve(&mut session, position, go);
            if result.is_ok() {
                idle = Some(session);
            }
            if results.send((index, result)).is_err() {
                break;
            }
        }
        if let Some(session) = idle {
            session.quit();
        }
        Ok(())
    };
    thread::scope(|scope| {
        let (sender, results) = channel();
        let workers: Vec<_> = (0..concurrency.clamp(1, positions.len().max(1)))
            .map(|_| {
                let sender = sender.clone();
                scope.spawn(|| work(sender))
            })
            .collect();
        drop(sender);
        for (index, result) in results {
            visit(index, result);
        }
        // A worker that panicked has printed why; errors of the others go to the caller.
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
}
