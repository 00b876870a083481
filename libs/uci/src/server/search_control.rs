//! How the thread that reads commands controls a running search, and the limits of one `go`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::TimeManager;
use crate::Go;

/// The control of one `go`: when it was read, whether it must stop, and whether the engine is still pondering.
///
/// Each search has its own, so a `stop` can neither reach the wrong search nor get lost before the search begins.
#[derive(Debug)]
pub struct SearchControl {
    started: Instant,
    stop: AtomicBool,
    /// When our own clock started, in nanoseconds after `started`; [`PONDERING`] until then.
    clock_started: AtomicU64,
    /// Set before the search begins.
    pub(super) overhead: OnceLock<Duration>,
    /// Notified of every change, for a search that has finished but may not answer yet.
    changed: (Mutex<()>, Condvar),
}

const PONDERING: u64 = u64::MAX;

impl SearchControl {
    /// The control of a search whose `go` was read at `started`. If `ponder`, its clock waits for `ponder_hit`.
    pub fn new(started: Instant, ponder: bool) -> SearchControl {
        SearchControl {
            started,
            stop: AtomicBool::new(false),
            clock_started: AtomicU64::new(if ponder { PONDERING } else { 0 }),
            overhead: OnceLock::new(),
            changed: (Mutex::default(), Condvar::new()),
        }
    }

    /// `Move Overhead`: the time per move lost between the engine's and the runner's clock. 0 outside the server.
    pub fn overhead(&self) -> Duration {
        self.overhead.get().copied().unwrap_or_default()
    }

    /// Stops the search, which then answers with its best move.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Ordering::Relaxed));
    }

    /// Whether [`SearchControl::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes that the opponent played the expected move at `now`: our clock runs from now on.
    pub fn ponder_hit(&self, now: Instant) {
        let nanos = now.saturating_duration_since(self.started).as_nanos() as u64;
        // A search that was not pondering keeps its start.
        self.change(|| {
            let _ =
                self.clock_started.compare_exchange(PONDERING, nanos, Ordering::Relaxed, Ordering::Relaxed);
        });
    }

    /// Sleeps until the search may answer: an infinite search waits for `stop`, a pondering one for `stop` or `ponderhit`.
    pub fn wait_until_answer_is_due(&self, infinite: bool) {
        let mut guard = self.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        while (infinite || self.is_pondering()) && !self.is_stopped() {
            guard = self.changed.1.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes a change under the lock, so that a thread that is about to wait cannot miss it.
    fn change(&self, change: impl FnOnce()) {
        let _guard = self.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.1.notify_all();
    }

    /// Time since `go` was read.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on our own clock; `None` while pondering.
    pub fn clock_elapsed(&self) -> Option<Duration> {
        match self.clock_started.load(Ordering::Relaxed) {
            PONDERING => None,
            nanos => Some(self.elapsed().saturating_sub(Duration::from_nanos(nanos))),
        }
    }

    /// Whether the engine is still pondering.
    pub fn is_pondering(&self) -> bool {
        self.clock_started.load(Ordering::Relaxed) == PONDERING
    }
}

/// The limits of one search. Iterative deepening asks two questions: whether another iteration may begin, and, at every
/// node, whether the search must end now.
///
/// A `go` without limits allows everything until `stop`. An engine with a default depth or node limit applies it itself
/// (see [`SearchBudget::is_unlimited`]).
#[derive(Debug)]
pub struct SearchBudget<'a> {
    control: &'a SearchControl,
    time: TimeManager,
    nodes: Option<u64>,
    depth: Option<u32>,
    infinite: bool,
}

impl<'a> SearchBudget<'a> {
    /// The number of nodes between two checks of the clock, a power of two.
    const CLOCK_INTERVAL: u64 = 256;
    /// The factor of the soft limit, by the number of iterations with the same best move: an unsteady best move deserves
    /// more time, a steady one less.
    const FACTORS: [f64; 6] = [1.5, 1.2, 1.0, 0.9, 0.85, 0.8];

    /// The limits of a search under `go` for White or Black.
    pub fn new(go: &Go, is_white: bool, control: &'a SearchControl) -> SearchBudget<'a> {
        SearchBudget {
            control,
            time: TimeManager::for_move(go, is_white, control.overhead()),
            nodes: go.nodes,
            depth: go.depth,
            infinite: go.infinite,
        }
    }

    /// Whether the search must end now, after `nodes` nodes. A node limit is never exceeded. The clock and `stop` are
    /// checked when `nodes` is a multiple of 256, so call this at every node.
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit)
            || (nodes.is_multiple_of(SearchBudget::CLOCK_INTERVAL) && self.is_over())
    }

    /// Whether an iteration to `depth` plies may begin, after `nodes` nodes. `iterations_with_move` is the number of
    /// iterations with the current best move.
    ///
    /// An iteration usually takes several times as long as all previous ones, so one that began in the second half of the
    /// time would rarely finish.
    pub fn allows_iteration(&self, depth: u32, nodes: u64, iterations_with_move: u32) -> bool {
        let factor =
            SearchBudget::FACTORS[(iterations_with_move as usize).min(SearchBudget::FACTORS.len() - 1)];
        let is_late = |used: Duration| self.time.is_past_soft_limit(2 * used, factor);
        self.depth.is_none_or(|limit| depth <= limit)
            && self.nodes.is_none_or(|limit| nodes < limit)
            && !self.control.clock_elapsed().is_some_and(is_late)
            && !self.is_over()
    }

    /// The depth limit of `go` in plies.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Whether `go` has no limit, not even `infinite`.
    pub fn is_unlimited(&self) -> bool {
        !self.infinite && self.depth.is_none() && self.nodes.is_none() && self.time == TimeManager::UNLIMITED
    }

    /// Whether `stop` has come or the time is up.
    fn is_over(&self) -> bool {
        let is_up = |used| self.time.is_past_hard_limit(used);
        self.control.is_stopped() || self.control.clock_elapsed().is_some_and(is_up)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::Command;

    #[test]
    fn the_clock_of_a_pondering_search_starts_with_the_hit() {
        let started = Instant::now();
        let control = SearchControl::new(started, true);
        assert_eq!(control.clock_elapsed(), None);
        control.ponder_hit(started + Duration::from_hours(1));
        assert!(!control.is_pondering());
        assert_eq!(control.clock_elapsed(), Some(Duration::ZERO));
    }

    #[test]
    fn a_hit_does_not_reset_a_clock_that_runs() {
        let started = Instant::now();
        let control = SearchControl::new(started, false);
        std::thread::sleep(Duration::from_millis(2));
        control.ponder_hit(Instant::now());
        assert!(control.clock_elapsed() >= Some(Duration::from_millis(2)));
    }

    fn budget<'a>(text: &str, control: &'a SearchControl) -> SearchBudget<'a> {
        let Ok(Command::Go(go)) = text.parse() else { panic!("`{text}` is a go command") };
        SearchBudget::new(&go, true, control)
    }

    #[test]
    fn no_iteration_begins_in_the_second_half_of_the_time() {
        let begins_after = |millis| {
            let started = Instant::now().checked_sub(Duration::from_millis(millis)).unwrap();
            let control = SearchControl::new(started, false);
            // 11 s / 22 moves: half a second.
            budget("go wtime 11000 btime 11000", &control).allows_iteration(5, 1_000, 2)
        };
        assert!(begins_after(100));
        assert!(!begins_after(300));
    }

    #[test]
    fn only_a_bare_go_is_unlimited() {
        let control = SearchControl::new(Instant::now(), false);
        assert!(budget("go", &control).is_unlimited());
        assert!(!budget("go infinite", &control).is_unlimited());
        assert!(!budget("go depth 3", &control).is_unlimited());
    }
}
