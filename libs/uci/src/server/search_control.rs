//! The control of a running search by the thread that reads commands.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One per `go`: when it was read, whether to stop, and whether the engine is still pondering.
///
/// Each search has its own, so a `stop` can never reach the wrong search or be lost before the search begins.
#[derive(Debug)]
pub struct SearchControl {
    started: Instant,
    stop: AtomicBool,
    /// When our own clock began to run, in nanoseconds after `started`; [`PONDERING`] until then.
    clock_started: AtomicU64,
    /// Notified of every change, for a search that is done before it may answer.
    changed: (Mutex<()>, Condvar),
}

const PONDERING: u64 = u64::MAX;

impl SearchControl {
    /// A search whose `go` was read at `started`; with `ponder` its clock waits for [`SearchControl::ponder_hit`].
    pub fn new(started: Instant, ponder: bool) -> SearchControl {
        SearchControl {
            started,
            stop: AtomicBool::new(false),
            clock_started: AtomicU64::new(if ponder { PONDERING } else { 0 }),
            changed: (Mutex::default(), Condvar::new()),
        }
    }

    /// Stops the search, which answers with its best move.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Ordering::Relaxed));
    }

    /// Whether [`SearchControl::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move at `now`: from now on our clock runs.
    pub fn ponder_hit(&self, now: Instant) {
        let nanos = now.saturating_duration_since(self.started).as_nanos() as u64;
        // A search that never pondered keeps the start it has.
        self.change(|| {
            let _ =
                self.clock_started.compare_exchange(PONDERING, nanos, Ordering::Relaxed, Ordering::Relaxed);
        });
    }

    /// Sleeps until the answer may be given: an infinite search waits for `stop`, a ponder search for `stop` or the
    /// ponder hit.
    pub fn wait_until_answer_is_due(&self, infinite: bool) {
        let mut guard = self.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        while (infinite || self.is_pondering()) && !self.is_stopped() {
            guard = self.changed.1.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes a change under the lock, so that a thread about to wait cannot miss it.
    fn change(&self, change: impl FnOnce()) {
        let _guard = self.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.1.notify_all();
    }

    /// Time since `go` was read.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on our own clock, or `None` while the opponent's runs.
    pub fn clock_elapsed(&self) -> Option<Duration> {
        match self.clock_started.load(Ordering::Relaxed) {
            PONDERING => None,
            nanos => Some(self.elapsed().saturating_sub(Duration::from_nanos(nanos))),
        }
    }

    /// Whether the engine still thinks on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.clock_started.load(Ordering::Relaxed) == PONDERING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
