//! Numbered tasks for several engines, with the results in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::engines::EngineSession;

/// Why the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkEnd<E> {
    /// All tasks are done.
    AllDone,
    /// The caller has enough results.
    Enough,
    /// The stop flag was set.
    Stopped,
    /// A task failed twice, the second time with a new engine process.
    Failed(E),
}

/// Does the tasks 0 to `limit - 1` with `concurrency` engines that `start` starts, until `visit` breaks off, `stop` is
/// set, or a task fails twice. Calls `visit` on this thread, task by task in the order of the numbers, so that its
/// results do not depend on the concurrency.
pub fn in_order<T: Send, E: Send>(
    limit: u64,
    concurrency: usize,
    stop: &AtomicBool,
    start: impl Fn() -> Result<EngineSession, E> + Sync,
    work: impl Fn(&mut EngineSession, u64) -> Result<T, E> + Sync,
    mut visit: impl FnMut(u64, T) -> ControlFlow<()>,
) -> WorkEnd<E> {
    let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let worker = |results: Sender<(u64, Result<T, E>)>| {
        let mut idle = None;
        while !stop.load(Ordering::Relaxed) && !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= limit {
                break;
            }
            let mut attempt = || {
                let mut session = idle.take().map_or_else(&start, Ok)?;
                let result = work(&mut session, number)?;
                idle = Some(session);
                Ok(result)
            };
            let result = attempt().or_else(|_| attempt());
            let has_failed = result.is_err();
            if results.send((number, result)).is_err() || has_failed {
                break;
            }
        }
        if let Some(session) = idle {
            session.quit();
        }
    };
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..concurrency.max(1) {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                let end = match result {
                    Err(error) => Some(WorkEnd::Failed(error)),
                    Ok(result) => visit(expected, result).is_break().then_some(WorkEnd::Enough),
                };
                if let Some(end) = end {
                    is_over.store(true, Ordering::Relaxed);
                    return end;
                }
                expected += 1;
            }
        }
        if expected == limit { WorkEnd::AllDone } else { WorkEnd::Stopped }
    })
}
