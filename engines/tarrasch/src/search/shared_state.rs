//! What the threads of one search tell each other: how many nodes each has searched, how many positions it found in
//! endgame tables, and that the search is over.
//!
//! All else they share is the transposition table. Nothing here is worth a lock, and nothing needs an order in memory:
//! a count that is a few nodes old does no harm.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Depth, Nodes};

/// The notes of one search.
#[derive(Debug)]
pub(super) struct SharedState {
    is_over: Apart<AtomicBool>,
    /// What each thread has counted, the main thread first.
    counts: Box<[Apart<Counts>]>,
}

/// What one thread has counted.
#[derive(Debug, Default)]
struct Counts {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// Keeps what one thread writes out of the cache lines that others read: two lines of 64 bytes, since processors fetch
/// them in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

impl SharedState {
    /// A search of so many threads.
    pub(super) fn new(threads: usize) -> SharedState {
        SharedState { is_over: Apart::default(), counts: (0..threads).map(|_| Apart::default()).collect() }
    }

    /// The place of a thread. The main thread, which has the clock and the answer, is number 0.
    pub(super) fn seat(&self, number: usize) -> Seat<'_> {
        Seat { shared_state: self, number }
    }

    /// The nodes of all threads, as far as they have told.
    pub(super) fn nodes(&self) -> Nodes {
        Nodes::new(self.counts.iter().map(|told| told.0.nodes.load(Ordering::Relaxed)).sum())
    }

    /// The positions that all threads found in endgame tables, as far as they have told.
    pub(super) fn tb_hits(&self) -> u64 {
        self.counts.iter().map(|told| told.0.tb_hits.load(Ordering::Relaxed)).sum()
    }

    /// Ends the search of all threads when it is dropped, even by a panic: a helper that nobody ends would be waited
    /// for in vain.
    pub(super) fn ending(&self) -> Ending<'_> {
        Ending(self)
    }
}

/// See [`SharedState::ending`].
pub(super) struct Ending<'a>(&'a SharedState);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.is_over.0.store(true, Ordering::Relaxed);
    }
}

/// One thread's place in the pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat<'a> {
    shared_state: &'a SharedState,
    number: usize,
}

impl Seat<'_> {
    /// How many threads there are.
    pub(super) fn team_size(self) -> u64 {
        self.shared_state.counts.len() as u64
    }

    /// Tells the others how many nodes this thread has searched, and how many positions it found in endgame tables.
    pub(super) fn tell(self, nodes: Nodes, tb_hits: u64) {
        let told = &self.shared_state.counts[self.number].0;
        told.nodes.store(nodes.get(), Ordering::Relaxed);
        told.tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    /// The nodes of all threads, as far as they have told.
    pub(super) fn team_nodes(self) -> Nodes {
        self.shared_state.nodes()
    }

    /// The positions that all threads found in endgame tables, as far as they have told.
    pub(super) fn team_table_hits(self) -> u64 {
        self.shared_state.tb_hits()
    }

    /// Whether the main thread has ended the search.
    pub(super) fn is_over(self) -> bool {
        self.shared_state.is_over.0.load(Ordering::Relaxed)
    }

    /// Whether this thread leaves out the iteration to `depth`, so that the threads are not all at the same depth.
    ///
    /// The first two helpers leave out every other iteration, one the odd and one the even; the next four leave out
    /// two and search two, each pair of iterations in another order; the next six three, and so on. With few threads
    /// and little time that is a gain over searching every depth, with more of either it is none (Stockfish, pull
    /// requests 1020, "Further simplify skipping of plies with threads", 2017, and 1972, 2019).
    pub(super) fn skips(self, depth: Depth) -> bool {
        let Some(mut phase) = self.number.checked_sub(1) else { return false };
        let mut run = 1;
        while phase >= 2 * run {
            phase -= 2 * run;
            run += 1;
        }
        (depth.get() as usize + phase) / run % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(number: usize) -> Vec<i32> {
        let shared_state = SharedState::new(number + 1);
        (1..=8).filter(|&depth| shared_state.seat(number).skips(Depth::new(depth))).collect()
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
    fn the_counts_of_a_team_are_the_sums_of_what_its_threads_told_last() {
        let shared_state = SharedState::new(3);
        for (number, nodes, tb_hits) in [(0, 5, 1), (2, 7, 3), (0, 20, 2)] {
            shared_state.seat(number).tell(Nodes::new(nodes), tb_hits);
        }
        assert_eq!((shared_state.nodes(), shared_state.tb_hits()), (Nodes::new(27), 5));
    }

    #[test]
    fn the_end_reaches_every_seat() {
        let shared_state = SharedState::new(2);
        let ending = shared_state.ending();
        assert!(!shared_state.seat(1).is_over());
        drop(ending);
        assert!((0..2).all(|number| shared_state.seat(number).is_over()));
    }
}
