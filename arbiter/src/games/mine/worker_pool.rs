//! Engine processes that mine games in parallel.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::game_position::SourceGame;
use super::miner::{MinedGame, MiningError, mine_game};
use super::recipe::MiningRecipe;
use crate::engines::EngineSession;

/// The index of a game and its result.
type WorkerMessage = (usize, Result<MinedGame, MiningError>);

/// Mines the games from index `first` on, `concurrency` games at a time. `start` starts each engine process, with
/// `MultiPV` 2. Calls `visit` on this thread with one game after another, in the order of the games, until it breaks off
/// or a game fails; games in work are then cancelled.
///
/// # Errors
/// The error of `start` when an engine does not start.
pub fn mine_all<E: Send>(
    games: &[SourceGame],
    first: usize,
    recipe: &MiningRecipe,
    concurrency: usize,
    start: impl Fn() -> Result<EngineSession, E> + Sync,
    mut visit: impl FnMut(usize, Result<MinedGame, MiningError>) -> ControlFlow<()>,
) -> Result<(), E> {
    let next = AtomicUsize::new(first);
    let is_wanted = AtomicBool::new(true);
    let work = |messages: Sender<WorkerMessage>| {
        let mut session = None;
        while is_wanted.load(Ordering::Relaxed)
            && let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(game) = games.get(index)
        {
            let engine = match &mut session {
                Some(engine) => engine,
                none => none.insert(start().inspect_err(|_| is_wanted.store(false, Ordering::Relaxed))?),
            };
            let mined = mine_game(engine, game, recipe, &is_wanted);
            let is_broken = mined.is_err();
            if messages.send((index, mined)).is_err() || is_broken {
                break;
            }
        }
        if let Some(session) = session {
            session.quit();
        }
        Ok(())
    };
    thread::scope(|scope| {
        let (sender, messages) = channel();
        let workers: Vec<_> = (0..concurrency.clamp(1, games.len().saturating_sub(first).max(1)))
            .map(|_| {
                let sender = sender.clone();
                scope.spawn(|| work(sender))
            })
            .collect();
        drop(sender);
        let mut due = first;
        let mut early = BTreeMap::new();
        for (index, mined) in messages {
            early.insert(index, mined);
            while let Some(mined) = early.remove(&due) {
                let is_last = mined.is_err();
                if visit(due, mined).is_break() || is_last {
                    is_wanted.store(false, Ordering::Relaxed);
                    // Later results are dropped.
                    due = usize::MAX;
                } else {
                    due += 1;
                }
            }
        }
        // A worker that panicked has printed why; errors of the others go to the caller.
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
}
