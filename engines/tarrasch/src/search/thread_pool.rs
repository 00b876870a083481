//! Lazy SMP: several threads search one position (Chess Programming Wiki, "Lazy SMP"; Østensen, "A Complete Chess Engine
//! Parallelized Using Lazy SMP", University of Oslo, 2016).
//!
//! Every thread runs the whole search and shares only the TT. Helpers skip some iterations, so that the threads search
//! different depths. The main thread alone checks the limits and reports; when it stops, all stop. Then they vote for
//! the move.
//!
//! Helper threads live as long as one search, so they can borrow from the caller. Starting and joining one takes about
//! 0.1 ms; a move of a one-second game has 20 ms.

use std::thread::{self, ScopedJoinHandle};

use super::shared_state::SharedState;
use super::vote::elect;
use super::{Outcome, Report, Searcher, ThreadData};
use crate::transposition_table::Bound;
use crate::{Depth, Limits, SearchControl, SharedTt, TimeManager};
use chess::{Position, ZobristKey};
use uci::server::STACK_BYTES;

/// The data of all threads, from one search to the next.
#[derive(Debug, Default)]
pub struct ThreadPool {
    main: ThreadData,
    helpers: Vec<ThreadData>,
    refused: usize,
}

impl ThreadPool {
    /// The number of threads.
    pub fn size(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Changes the number of threads. Those that stay keep their data.
    pub fn resize(&mut self, threads: usize) {
        self.helpers.resize_with(threads.saturating_sub(1), ThreadData::new);
    }

    /// Clears the data of all threads for a new game.
    pub fn clear(&mut self) {
        self.main.clear();
        self.helpers.iter_mut().for_each(ThreadData::clear);
    }

    /// The number of threads that the system refused to start for the last search, which ran without them.
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// Searches `position` until a limit is reached. `game` has the keys of the positions before it, oldest first.
    ///
    /// A node limit is for all threads together. One thread never exceeds it; several exceed it by fewer than 128 nodes
    /// each.
    pub fn search(
        &mut self,
        position: &Position,
        game: &[ZobristKey],
        limits: &Limits,
        control: &SearchControl,
        tt: SharedTt<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let helper_count = self.helpers.len();
        let shared_state = SharedState::new(1 + helper_count);
        // Only the main thread stops by depth, mate or time.
        let unlimited =
            Limits { depth: Depth::MAX, mate: None, time: TimeManager::UNLIMITED, ..limits.clone() };
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let stop_on_drop = shared_state.stop_on_drop();
            let mut helpers = Vec::with_capacity(helper_count);
            for (thread_data, index) in self.helpers.iter_mut().zip(1..) {
                let (handle, unlimited) = (shared_state.handle(index), &unlimited);
                let search = move || {
                    let searcher = Searcher::new(position, game, unlimited, control, tt, thread_data);
                    searcher.in_pool(handle).run(position, &mut |_| {})
                };
                let thread = thread::Builder::new().name(format!("helper {index}")).stack_size(STACK_BYTES);
                helpers.extend(thread.spawn_scoped(scope, search));
            }
            self.refused = helper_count - helpers.len();
            let searcher = Searcher::new(position, game, limits, control, tt, &mut self.main);
            let outcome = searcher.in_pool(shared_state.handle(0)).run(position, report);
            drop(stop_on_drop);
            [outcome].into_iter().chain(helpers.into_iter().map(join)).collect()
        });
        // A fixed depth or MultiPV asks for the result of the main thread.
        let has_vote = limits.multi_pv == 1 && limits.depth == Depth::MAX;
        let chosen = if has_vote { elect(&outcomes) } else { 0 };
        let outcome = Outcome { nodes: shared_state.nodes(), ..outcomes[chosen].clone() };
        if chosen != 0 {
            let tb_hits = limits.syzygy.is_loaded().then(|| shared_state.tb_hits());
            report(&helper_report(&outcome, tb_hits, control, tt));
        }
        outcome
    }
}

/// Joins a helper and passes on its panic.
fn join(helper: ScopedJoinHandle<'_, Outcome>) -> Outcome {
    helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The report of the helper whose move is played.
fn helper_report(
    outcome: &Outcome,
    tb_hits: Option<u64>,
    control: &SearchControl,
    tt: SharedTt<'_>,
) -> Report {
    Report {
        depth: outcome.depth,
        sel_depth: outcome.sel_depth,
        line_index: 0,
        value: outcome.value,
        bound: Bound::Exact,
        nodes: outcome.nodes,
        hashfull: tt.hashfull(),
        tb_hits,
        time: control.elapsed(),
        line: outcome.line.clone(),
    }
}
