//! An engine that solves tactical positions.

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

/// How much longer than a fixed time per move an engine may take before it is given up.
const GRACE: Duration = Duration::from_secs(5);

/// How long a search without a time of its own may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Why an engine did not answer.
#[derive(Debug, Error)]
pub enum SolveError {
    /// It is silent or gone.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It answered something that is no move.
    #[error("`{0}` is no answer to `go`")]
    Unreadable(String),
}

/// Gives a position to an engine as the first of a new game, and judges the answer.
///
/// # Errors
/// The engine does not answer. It is to be started again before the next position.
pub fn solve(
    session: &mut EngineSession,
    position: &TacticsPosition,
    go: &Go,
) -> Result<TacticsResult, SolveError> {
    session.new_game()?;
    let mut attempt = Attempt::default();
    let mut unreadable = None;
    let patience = go.movetime.map_or(PATIENCE, |movetime| movetime + GRACE);
    let question = format!("position fen {}\n{go}\n", position.fen);
    attempt.time = session.ask(&question, patience, |line| match line.parse() {
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

/// Gives every position to an engine, several at once, each to an engine process of its own, which `start` starts. Each
/// is told to `visit` by its index as soon as it is done, on this thread; an engine that did not answer is started
/// again.
///
/// # Errors
/// What `start` says when an engine does not start; what is known by then has been told.
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
        // A worker that panicked has said so; the others' errors are the caller's.
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
}
