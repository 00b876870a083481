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
use runner::process::EngineError;
use uci::{Go, Message};

/// Time beyond `movetime` after which an engine counts as hung.
const GRACE: Duration = Duration::from_secs(5);

/// The longest search without `movetime`.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Why an engine did not answer.
#[derive(Debug, Error)]
pub enum SolveError {
    /// It did not answer or has exited.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its `bestmove` cannot be read.
    #[error("expected `bestmove` with a move, found `{0}`")]
    Unreadable(String),
}

/// Lets an engine search a position in a new game, and judges the answer.
///
/// # Errors
/// The engine does not answer. Start it again before the next position.
pub fn solve(
    session: &mut EngineSession,
    position: &TacticsPosition,
    go: &Go,
) -> Result<TacticsResult, SolveError> {
    session.new_game()?;
    let mut attempt = Attempt::default();
    let mut unreadable = None;
    let timeout = go.movetime.map_or(TIMEOUT, |movetime| movetime + GRACE);
    let question = format!("position fen {}\n{go}\n", position.fen);
    attempt.time = session.ask(&question, timeout, |line| match line.parse() {
        Ok(Message::Info(info)) if !info.pv.is_empty() && info.multipv.is_none_or(|number| number == 1) => {
            attempt.lines.push(*info);
            ControlFlow::Continue(())
        }
        Ok(Message::BestMove(answer)) => {
            attempt.best = answer.best;
            ControlFlow::Break(())
        }
        Err(_) if line.starts_with("bestmove") => {
            unreadable = Some(line.to_owned());
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })?;
    match unreadable {
        Some(line) => Err(SolveError::Unreadable(line)),
        None => Ok(TacticsResult::judge(&position.goal, &attempt)),
    }
}

/// Lets `concurrency` engine processes, which `start` starts, search all positions. Calls `visit` on this thread with the
/// index and result of each position as soon as it is done. An engine that did not answer is started again.
///
/// # Errors
/// The error of `start` when an engine does not start; `visit` has seen the results until then.
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
