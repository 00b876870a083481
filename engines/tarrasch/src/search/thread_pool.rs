//! Lazy SMP: several threads search one position (Chess Programming Wiki, "Lazy SMP"; Østensen, "A Complete Chess Engine
//! Parallelized Using Lazy SMP", University of Oslo, 2016).
//!
//! Every thread runs the whole search and shares only the TT. Helpers skip some iterations, so that the threads search
//! different depths. The main thread alone checks the limits and reports; when it stops, all stop. Then they vote for
//! the move.
//!
//! Helper threads live as long as one search, so they can borrow from the caller. Starting and joining one takes about
//! 0.1 ms; a move of a one-second game has 20 ms.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};

use super::correction_history::CorrectionHistory;
use super::history::History;
use super::params::Reductions;
use super::{Outcome, Report, Searcher};
use crate::eval::Evaluator;
use crate::transposition_table::Bound;
use crate::{Depth, Limits, Nodes, SearchControl, SharedTt, TimeManager, Value};
use chess::{Position, ZobristKey};
use uci::server::STACK_BYTES;

/// The data of all threads, from one search to the next.
#[derive(Debug, Default)]
pub struct ThreadPool {
    main: ThreadData,
    helpers: Vec<ThreadData>,
    /// The number of threads that the system refused to start for the last search, which ran without them.
    pub refused: usize,
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

/// The histories and caches of a thread. The TT is shared and not part of it.
#[derive(Debug, Default)]
pub struct ThreadData {
    pub(super) history: History,
    pub(super) correction_history: CorrectionHistory,
    pub(super) evaluator: Evaluator,
    pub(super) reductions: Reductions,
}

impl ThreadData {
    pub fn new() -> ThreadData {
        ThreadData::default()
    }

    /// Clears the histories for a new game. The caches of the evaluator stay valid.
    pub fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }
}

/// What the threads of one search share besides the TT. All of it is atomic with relaxed order: counts that are a few
/// nodes old do no harm.
#[derive(Debug)]
pub(super) struct SharedState {
    is_stopped: CachePadded<AtomicBool>,
    /// The counts of each thread, the main thread first.
    counts: Box<[CachePadded<Counts>]>,
}

/// The counts of one thread.
#[derive(Debug, Default)]
struct Counts {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// Avoids false sharing: 128 bytes, because processors fetch cache lines of 64 bytes in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct CachePadded<T>(T);

impl SharedState {
    pub(super) fn new(threads: usize) -> SharedState {
        SharedState {
            is_stopped: CachePadded::default(),
            counts: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// The handle of a thread; the main thread has index 0.
    pub(super) fn handle(&self, index: usize) -> ThreadHandle<'_> {
        ThreadHandle { shared_state: self, index }
    }

    pub(super) fn nodes(&self) -> Nodes {
        Nodes::new(self.counts.iter().map(|counts| counts.0.nodes.load(Ordering::Relaxed)).sum())
    }

    pub(super) fn tb_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.0.tb_hits.load(Ordering::Relaxed)).sum()
    }

    /// A guard that stops all threads when it is dropped, even by a panic; otherwise the panic would wait for the
    /// helpers forever.
    pub(super) fn stop_on_drop(&self) -> StopOnDrop<'_> {
        StopOnDrop(self)
    }
}

pub(super) struct StopOnDrop<'a>(&'a SharedState);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.is_stopped.0.store(true, Ordering::Relaxed);
    }
}

/// One thread's access to the shared state.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadHandle<'a> {
    shared_state: &'a SharedState,
    index: usize,
}

impl ThreadHandle<'_> {
    pub(super) fn thread_count(self) -> u64 {
        self.shared_state.counts.len() as u64
    }

    /// Publishes this thread's node count and tablebase hits.
    pub(super) fn publish(self, nodes: Nodes, tb_hits: u64) {
        let counts = &self.shared_state.counts[self.index].0;
        counts.nodes.store(nodes.get(), Ordering::Relaxed);
        counts.tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    pub(super) fn total_nodes(self) -> Nodes {
        self.shared_state.nodes()
    }

    pub(super) fn total_tb_hits(self) -> u64 {
        self.shared_state.tb_hits()
    }

    /// Whether the main thread has stopped the search.
    pub(super) fn is_stopped(self) -> bool {
        self.shared_state.is_stopped.0.load(Ordering::Relaxed)
    }

    /// Whether this thread skips the iteration to `depth`, so that the threads search different depths.
    ///
    /// Helpers 1 and 2 skip every other iteration: one the odd depths, the other the even ones. Helpers 3 to 6 skip two
    /// and search two, each with another phase; helpers 7 to 12 skip three, and so on. It gains with few threads and
    /// short games, and nothing with more of either (Stockfish, pull requests 1020, "Further simplify skipping of plies
    /// with threads", 2017, and 1972, 2019).
    pub(super) fn skips_depth(self, depth: Depth) -> bool {
        let Some(mut phase) = self.index.checked_sub(1) else { return false };
        let mut run = 1;
        while phase >= 2 * run {
            phase -= 2 * run;
            run += 1;
        }
        (depth.get() as usize + phase) / run % 2 == 1
    }
}

/// Added to each thread's margin over the lowest value, so that the lowest counts, too (as in Stockfish).
const VOTE_BASE: i64 = 14;

/// The index of the elected outcome. Index 0, the main thread, wins ties.
///
/// Every thread votes for its best move with the weight depth × (value - lowest value + `VOTE_BASE`) (Stockfish, pull request
/// 1721, "Introduce voting system for best move selection", 2018). The move with the most weight wins. A mate needs no
/// vote: the shortest is played.
pub(super) fn elect(outcomes: &[Outcome]) -> usize {
    let may_vote = |outcome: &&Outcome| outcome.depth > Depth::ZERO && !outcome.line.is_empty();
    let voters = || outcomes.iter().enumerate().filter(|(_, outcome)| may_vote(outcome));
    let Some(worst) = voters().map(|(_, outcome)| outcome.value).min() else { return 0 };
    let weight = |outcome: &Outcome| {
        i64::from(outcome.depth.get()) * (i64::from(outcome.value.get() - worst.get()) + VOTE_BASE)
    };
    let votes = |outcome: &Outcome| -> i64 {
        let same_move = voters().filter(|(_, other)| other.line[0] == outcome.line[0]);
        same_move.map(|(_, other)| weight(other)).sum()
    };
    let mate = |outcome: &Outcome| (outcome.value > Value::MAX_EVAL).then_some(outcome.value);
    let merit = |outcome: &Outcome| (mate(outcome), votes(outcome), weight(outcome));
    // The lowest index wins ties.
    voters().max_by_key(|(index, outcome)| (merit(outcome), Reverse(*index))).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nodes, Ply};
    use chess::{Move, Square};

    fn skipped(index: usize) -> Vec<i32> {
        let shared_state = SharedState::new(index + 1);
        (1..=8).filter(|&depth| shared_state.handle(index).skips_depth(Depth::new(depth))).collect()
    }

    #[test]
    fn the_main_thread_skips_no_iteration_and_each_helper_half_of_them() {
        assert_eq!(skipped(0), [] as [i32; 0]);
        assert_eq!(skipped(1), [1, 3, 5, 7]);
        assert_eq!(skipped(2), [2, 4, 6, 8]);
        assert_eq!(skipped(3), [2, 3, 6, 7]);
        assert_eq!(skipped(4), [1, 2, 5, 6]);
        assert_eq!(skipped(6), [3, 4, 7, 8]);
    }

    #[test]
    fn published_counts_add_up_and_a_stop_reaches_every_thread() {
        let shared_state = SharedState::new(3);
        for (index, nodes, tb_hits) in [(0, 5, 1), (2, 7, 3), (0, 20, 2)] {
            shared_state.handle(index).publish(Nodes::new(nodes), tb_hits);
        }
        assert_eq!((shared_state.nodes(), shared_state.tb_hits()), (Nodes::new(27), 5));
        let shared_state = SharedState::new(2);
        let stop_on_drop = shared_state.stop_on_drop();
        assert!(!shared_state.handle(1).is_stopped());
        drop(stop_on_drop);
        assert!((0..2).all(|index| shared_state.handle(index).is_stopped()));
    }

    /// The targets of two moves.
    const A: usize = 8;
    const B: usize = 16;

    fn outcome(to: usize, depth: i32, value: Value) -> Outcome {
        let line = [Move::normal(Square::A1, Square::from_index(to))].into_iter().collect();
        Outcome { line, value, depth: Depth::new(depth), sel_depth: Ply::ROOT, nodes: Nodes::default() }
    }

    fn scored(to: usize, depth: i32, centipawns: i32) -> Outcome {
        outcome(to, depth, Value::new(centipawns))
    }

    #[test]
    fn the_votes_of_all_threads_elect_the_move() {
        let mate = |plies| outcome(B, 3, Value::mate_in(Ply::new(plies)));
        let nothing = Outcome { line: [].into_iter().collect(), ..scored(A, 1, 900) };
        for (votes, elected) in [
            // The main thread wins ties.
            (&[scored(A, 9, 20)][..], 0),
            (&[scored(A, 9, 20), scored(A, 9, 20)], 0),
            (&[scored(A, 9, 20), scored(B, 9, 20)], 0),
            // A deeper search or a higher value has more weight.
            (&[scored(A, 9, 20), scored(B, 10, 20)], 1),
            (&[scored(A, 9, 20), scored(B, 9, 25)], 1),
            (&[scored(A, 9, 20), scored(B, 8, 20)], 0),
            // Two that agree outvote a slightly better one.
            (&[scored(A, 9, 24), scored(B, 9, 20), scored(B, 9, 22)], 2),
            // The shortest mate is played whatever the votes.
            (&[scored(A, 20, 900), scored(A, 20, 900), mate(5), mate(3)], 3),
            // A thread without a finished iteration has no vote.
            (&[scored(A, 1, 0), scored(B, 0, 900)], 0),
            (&[scored(A, 0, 0), scored(B, 0, 900)], 0),
            (&[nothing.clone(), nothing], 0),
        ] {
            assert_eq!(elect(votes), elected, "{votes:?}");
        }
    }
}
