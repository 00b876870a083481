//! What the threads of one search share besides the TT: their node counts, their tablebase hits, and the stop flag.
//!
//! All of it is atomic with relaxed order: counts that are a few nodes old do no harm.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Depth, Nodes};

/// The shared state of one search.
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
    /// The state of a search with this number of threads.
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

    /// The published nodes of all threads.
    pub(super) fn nodes(&self) -> Nodes {
        Nodes::new(self.counts.iter().map(|counts| counts.0.nodes.load(Ordering::Relaxed)).sum())
    }

    /// The published tablebase hits of all threads.
    pub(super) fn tb_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.0.tb_hits.load(Ordering::Relaxed)).sum()
    }

    /// A guard that stops all threads when it is dropped, even by a panic; otherwise the panic would wait for the
    /// helpers forever.
    pub(super) fn stop_on_drop(&self) -> StopOnDrop<'_> {
        StopOnDrop(self)
    }
}

/// See [`SharedState::stop_on_drop`].
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
    /// The number of threads.
    pub(super) fn thread_count(self) -> u64 {
        self.shared_state.counts.len() as u64
    }

    /// Publishes this thread's node count and tablebase hits.
    pub(super) fn publish(self, nodes: Nodes, tb_hits: u64) {
        let counts = &self.shared_state.counts[self.index].0;
        counts.nodes.store(nodes.get(), Ordering::Relaxed);
        counts.tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    /// The published nodes of all threads.
    pub(super) fn total_nodes(self) -> Nodes {
        self.shared_state.nodes()
    }

    /// The published tablebase hits of all threads.
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn totals_are_the_sums_of_the_published_counts() {
        let shared_state = SharedState::new(3);
        for (index, nodes, tb_hits) in [(0, 5, 1), (2, 7, 3), (0, 20, 2)] {
            shared_state.handle(index).publish(Nodes::new(nodes), tb_hits);
        }
        assert_eq!((shared_state.nodes(), shared_state.tb_hits()), (Nodes::new(27), 5));
    }

    #[test]
    fn a_stop_reaches_every_thread() {
        let shared_state = SharedState::new(2);
        let stop_on_drop = shared_state.stop_on_drop();
        assert!(!shared_state.handle(1).is_stopped());
        drop(stop_on_drop);
        assert!((0..2).all(|index| shared_state.handle(index).is_stopped()));
    }
}
