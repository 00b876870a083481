//! Tasks distributed among several processes of an engine.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::EngineSession;

/// Runs the tasks of these numbers on up to `concurrency` engines, which `start` starts as needed; an engine whose task
/// failed is replaced. `visit` gets each result on this thread as soon as it is known. No task begins once `is_over` is
/// set; `visit` sets it by breaking. If an engine does not start, the work ends with its error.
pub fn in_parallel<T: Send, E: Send, S: Send>(
    tasks: Range<usize>,
    concurrency: usize,
    is_over: &AtomicBool,
    start: impl Fn() -> Result<EngineSession, S> + Sync,
    work: impl Fn(&mut EngineSession, usize) -> Result<T, E> + Sync,
    mut visit: impl FnMut(usize, Result<T, E>) -> ControlFlow<()>,
) -> Result<(), S> {
    let end = || is_over.store(true, Ordering::Relaxed);
    let next = AtomicUsize::new(tasks.start);
    let worker = |results: Sender<(usize, Result<T, E>)>| {
        let mut idle = None;
        while !is_over.load(Ordering::Relaxed)
            && let task = next.fetch_add(1, Ordering::Relaxed)
            && task < tasks.end
        {
            let mut session = idle.take().map_or_else(&start, Ok).inspect_err(|_| end())?;
            let result = work(&mut session, task);
            if result.is_ok() {
                idle = Some(session);
            }
            if results.send((task, result)).is_err() {
                break;
            }
        }
        idle.into_iter().for_each(EngineSession::quit);
        Ok(())
    };
    thread::scope(|scope| {
        let (sender, results) = channel();
        let workers: Vec<_> = (0..concurrency.clamp(1, tasks.len().max(1)))
            .map(|_| {
                let sender = sender.clone();
                scope.spawn(|| worker(sender))
            })
            .collect();
        drop(sender);
        for (task, result) in results {
            if visit(task, result).is_break() {
                end();
                break;
            }
        }
        // A worker that panicked has printed its message; errors of the others are returned.
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
}

/// Takes results in any order and passes them to `visit` in the order of their numbers, starting at `first`.
pub fn by_number<T>(
    first: usize,
    mut visit: impl FnMut(usize, T) -> ControlFlow<()>,
) -> impl FnMut(usize, T) -> ControlFlow<()> {
    let (mut due, mut early) = (first, BTreeMap::new());
    move |number, result| {
        early.insert(number, result);
        while let Some(result) = early.remove(&due) {
            visit(due, result)?;
            due += 1;
        }
        ControlFlow::Continue(())
    }
}
