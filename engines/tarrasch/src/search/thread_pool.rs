//! Several threads search one position: Lazy SMP (Chess Programming Wiki, "Lazy SMP"; Østensen, "A Complete Chess
//! Engine Parallelized Using Lazy SMP", University of Oslo, 2016).
//!
//! Every thread runs the whole search for itself, and what one stores in the transposition table saves the others the
//! work. They drift apart by themselves, as no two find the table alike, and helpers leave out some of the iterations.
//! The main thread alone has the clock, the limits and the reports; when it ends, all end. Then they vote on the move.
//!
//! Helpers are started for each search and end with it, so that everything can be lent to them. Starting and awaiting
//! one takes about a tenth of a millisecond, of the twenty that a move has at one second a game.

use std::thread::{self, ScopedJoinHandle};

use super::shared_state::SharedState;
use super::vote::elect;
use super::{Outcome, Report, Searcher, ThreadData};
use crate::transposition_table::Bound;
use crate::{Depth, Limits, SearchControl, SharedTable, TimeManager};
use chess::{Position, ZobristKey};
use uci::server::STACK_BYTES;

/// The threads of a search and what each remembers from one search to the next.
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

    /// Changes the number of threads; those that stay keep what they know.
    pub fn resize(&mut self, threads: usize) {
        self.helpers.resize_with(threads.saturating_sub(1), ThreadData::new);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.main.clear();
        self.helpers.iter_mut().for_each(ThreadData::clear);
    }

    /// How many of the threads the system did not let start in the last search, which then did without them.
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// Searches `position`, which came about through positions with the keys `game`, until the limits are met.
    ///
    /// A limit in nodes is for all threads together. One thread never exceeds it, several by fewer than 128 nodes each.
    pub fn search(
        &mut self,
        position: &Position,
        game: &[ZobristKey],
        limits: &Limits,
        control: &SearchControl,
        table: SharedTable<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let wanted = self.helpers.len();
        let shared_state = SharedState::new(1 + wanted);
        // The main thread decides when it is enough.
        let endless =
            Limits { depth: Depth::MAX, mate: None, time: TimeManager::UNLIMITED, ..limits.clone() };
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let ending = shared_state.ending();
            let mut helpers = Vec::with_capacity(wanted);
            for (thread_data, number) in self.helpers.iter_mut().zip(1..) {
                let (seat, endless) = (shared_state.seat(number), &endless);
                let search = move || {
                    let searcher = Searcher::new(position, game, endless, control, table, thread_data);
                    searcher.seated(seat).run(position, &mut |_| {})
                };
                let thread = thread::Builder::new().name(format!("helper {number}")).stack_size(STACK_BYTES);
                helpers.extend(thread.spawn_scoped(scope, search));
            }
            self.refused = wanted - helpers.len();
            let searcher = Searcher::new(position, game, limits, control, table, &mut self.main);
            let outcome = searcher.seated(shared_state.seat(0)).run(position, report);
            drop(ending);
            [outcome].into_iter().chain(helpers.into_iter().map(join)).collect()
        });
        // Who asked for a depth or for several lines wants what the main thread found, neither more nor less.
        let is_free = limits.multi_pv == 1 && limits.depth == Depth::MAX;
        let chosen = if is_free { elect(&outcomes) } else { 0 };
        let outcome = Outcome { nodes: shared_state.nodes(), ..outcomes[chosen].clone() };
        if chosen != 0 {
            let tb_hits = limits.tables.is_possible().then(|| shared_state.tb_hits());
            report(&last_word(&outcome, tb_hits, control, table));
        }
        outcome
    }
}

/// Waits for a helper; its panic is ours.
fn join(helper: ScopedJoinHandle<'_, Outcome>) -> Outcome {
    helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What a helper found, told because its move is played.
fn last_word(
    outcome: &Outcome,
    tb_hits: Option<u64>,
    control: &SearchControl,
    table: SharedTable<'_>,
) -> Report {
    Report {
        depth: outcome.depth,
        deepest: outcome.deepest,
        line_index: 0,
        value: outcome.value,
        bound: Bound::Exact,
        nodes: outcome.nodes,
        hashfull: table.hashfull(),
        tb_hits,
        time: control.elapsed(),
        line: outcome.line.clone(),
    }
}
