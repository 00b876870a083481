//! An engine that evaluates positions reproducibly.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow};

use crate::engines::{EngineSession, by_number, in_parallel};
use runner::{PositionLine, SearchTask};
use uci::{Bound, Go};

/// The time limit of one search. Searches are limited by nodes, so only a hung engine takes this long.
const TIMEOUT: Duration = Duration::from_mins(2);

const MULTI_PV: &str = "MultiPV";

/// Capacity of a [`MoveCache`]. It keeps the first positions, which are near the start and recur.
const MAX_CACHED: usize = 20_000;

/// Moves in UCI notation with their scores in centipawns, the best first.
pub(super) type ScoredMoves = Vec<(String, i32)>;

/// The best moves of positions already searched, shared by all engines of a plan. Every search starts a new game, so
/// searching again would give the same moves.
#[derive(Debug, Default)]
pub struct MoveCache(Mutex<HashMap<String, ScoredMoves>>);

impl MoveCache {
    fn get(&self, fen: &str) -> Option<ScoredMoves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(fen).cloned()
    }

    fn insert(&self, fen: &str, moves: &ScoredMoves) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_CACHED {
            known.insert(fen.to_owned(), moves.clone());
        }
    }
}

/// An engine that evaluates positions. It should have one thread. Each search starts a new game, so that the result does
/// not depend on earlier searches.
#[derive(Debug)]
pub struct OpeningEvaluator<'a> {
    session: &'a mut EngineSession,
    cache: Option<&'a MoveCache>,
    multipv: Option<u32>,
}

pub(super) fn no_score(fen: &str) -> anyhow::Error {
    anyhow!("the engine reported no score for {fen}; use more nodes or another engine")
}

impl<'a> OpeningEvaluator<'a> {
    pub fn new(session: &'a mut EngineSession, cache: Option<&'a MoveCache>) -> OpeningEvaluator<'a> {
        OpeningEvaluator { session, cache, multipv: None }
    }

    /// The eval of a position after `nodes` nodes, in centipawns for the side to move. A mate counts as 10,000.
    pub fn eval(&mut self, fen: &str, nodes: u64) -> Result<i32> {
        // Without a cache, MultiPV was never set, and the engine need not have the option.
        if self.cache.is_some() && self.multipv != Some(1) {
            self.set_multipv(1)?;
        }
        Ok(self.search(fen, nodes)?[0].1)
    }

    /// The `moves` best moves of a position with their scores. All searches that share a cache must have the same limits.
    pub fn best_moves(&mut self, fen: &str, moves: u32, nodes: u64) -> Result<ScoredMoves> {
        if let Some(known) = self.cache.and_then(|cache| cache.get(fen)) {
            return Ok(known);
        }
        if self.multipv != Some(moves) {
            self.set_multipv(moves)?;
        }
        let scored = self.search(fen, nodes)?;
        if let Some(cache) = self.cache {
            cache.insert(fen, &scored);
        }
        Ok(scored)
    }

    fn set_multipv(&mut self, moves: u32) -> Result<()> {
        self.session.set_option(MULTI_PV, Some(&moves.to_string()))?;
        self.multipv = Some(moves);
        Ok(())
    }

    /// The first move and the last exact score of each line, best line first; at least one.
    fn search(&mut self, fen: &str, nodes: u64) -> Result<ScoredMoves> {
        self.session.new_game()?;
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let mut lines: Vec<Option<(String, i32)>> = Vec::new();
        let position = PositionLine::from_fen(fen);
        let _ = self.session.watch_search(SearchTask::Of(&position, &go), TIMEOUT, |info| {
            if let (Some(score), Some(first)) = (info.score, info.pv.first())
                && score.bound == Bound::Exact
            {
                let line = info.multipv.unwrap_or(1).clamp(1, 256) as usize - 1;
                lines.resize(lines.len().max(line + 1), None);
                lines[line] = Some((first.to_string(), score.value.in_centipawns(10_000)));
            }
        })?;
        let mut scored = ScoredMoves::new();
        for (chosen, score) in lines.into_iter().flatten() {
            // A search stopped between two lines may report the same move in both.
            if scored.iter().all(|(known, _)| *known != chosen) {
                scored.push((chosen, score));
            }
        }
        if scored.is_empty() {
            return Err(no_score(fen));
        }
        Ok(scored)
    }
}

#[derive(Debug)]
pub enum WorkEnd {
    AllDone,
    Enough,
    Stopped,
    /// A task failed twice, the second time with a new engine process.
    Failed(anyhow::Error),
}

/// Does tasks 0 to `limit - 1` on `concurrency` engines made by `start`, until `visit` breaks, `stop` is set, or a task
/// fails twice. Calls `visit` on this thread in the order of task numbers, so the results do not depend on the
/// concurrency.
pub fn in_order<T: Send>(
    limit: u64,
    concurrency: usize,
    stop: &AtomicBool,
    start: impl Fn() -> Result<EngineSession> + Sync,
    work: impl Fn(&mut EngineSession, u64) -> Result<T> + Sync,
    mut visit: impl FnMut(u64, T) -> ControlFlow<()>,
) -> WorkEnd {
    let (mut done, mut end) = (0, None);
    let attempt = |session: &mut EngineSession, task: usize| {
        work(session, task as u64).or_else(|_| {
            *session = start()?;
            work(session, task as u64)
        })
    };
    let visit = by_number(0, |task, result: Result<T>| {
        done += 1;
        end = match result {
            Err(error) => Some(WorkEnd::Failed(error)),
            Ok(result) => visit(task as u64, result).is_break().then_some(WorkEnd::Enough),
        };
        if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let start_anew = || start().or_else(|_| start());
    let started = in_parallel(0..limit as usize, concurrency, stop, start_anew, attempt, visit);
    let unless_ended = if done == limit { WorkEnd::AllDone } else { WorkEnd::Stopped };
    end.unwrap_or_else(|| started.map_or_else(WorkEnd::Failed, |()| unless_ended))
}
