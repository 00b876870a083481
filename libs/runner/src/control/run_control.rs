//! Control of a running match: stop, pause, concurrency.
//!
//! Orders come from a signal, another thread, or a test that ends a run early. Workers obey between two games. Each
//! worker holds a numbered permit. A worker that must return its permit quits its engines and ends, so a paused run has
//! no processes. The supervisor starts another worker when a permit is free.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::FinishReason;

/// Controls a run from another thread or a signal handler. Clones control the same run.
#[derive(Clone, Debug)]
pub struct RunControl {
    orders: Arc<watch::Sender<Orders>>,
}

/// The concurrency of a run and whether it is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Whether no new games are started.
    pub paused: bool,
    /// The maximum number of games in progress when not paused, at least 1.
    pub concurrency: usize,
}

/// The orders and the permits in use. One lock holds both, so that no two workers return the same permit.
#[derive(Debug)]
pub(crate) struct Orders {
    stop: StopLevel,
    pace: Pace,
    /// The permits in use, and whether each worker will keep its permit after the current game.
    permits: BTreeMap<usize, bool>,
    games_left: bool,
    /// Whether this process is being suspended, so that games in progress must be replayed.
    suspended: bool,
    /// Why the run ends before its last game, once that is decided.
    verdict: Option<FinishReason>,
}

impl Orders {
    fn wanted(&self) -> usize {
        if self.pace.paused || self.suspended || self.stop > StopLevel::Running {
            0
        } else {
            self.pace.concurrency
        }
    }
}

impl RunControl {
    /// The control of a run with this concurrency, at least 1.
    pub fn new(concurrency: usize) -> RunControl {
        let orders = Orders {
            stop: StopLevel::Running,
            pace: Pace { paused: false, concurrency: concurrency.max(1) },
            permits: BTreeMap::new(),
            games_left: true,
            suspended: false,
            verdict: None,
        };
        RunControl { orders: Arc::new(watch::Sender::new(orders)) }
    }

    /// Handles Ctrl-C: the first one finishes the games in progress, the second abandons them. Returns the new level.
    pub fn interrupt(&self) -> StopLevel {
        self.raise(match self.level() {
            StopLevel::Running => StopLevel::Finish,
            StopLevel::Finish | StopLevel::Abandon => StopLevel::Abandon,
        })
    }

    /// Raises the stop level, unless it is higher already. Returns the resulting level.
    pub fn raise(&self, level: StopLevel) -> StopLevel {
        self.change(|orders| orders.stop = level.max(orders.stop));
        self.level()
    }

    /// Sets the reason for ending the run before its last game, and lets the games in progress finish.
    pub(crate) fn decide(&self, verdict: FinishReason) {
        self.change(|orders| orders.verdict = Some(verdict));
        self.raise(StopLevel::Finish);
    }

    /// Why the run ends before its last game. It is set before the event of the game that decided it is sent.
    pub fn verdict(&self) -> Option<FinishReason> {
        self.orders.borrow().verdict.clone()
    }

    /// How urgently the run must end.
    pub fn level(&self) -> StopLevel {
        self.orders.borrow().stop
    }

    /// Lets the games in progress finish, and starts none until [`resume`](Self::resume).
    pub fn pause(&self) {
        self.change(|orders| orders.pace.paused = true);
    }

    /// Ends a pause. A run that is being stopped stays stopped.
    pub fn resume(&self) {
        self.change(|orders| orders.pace.paused = false);
    }

    /// Sets the concurrency, at least 1. Games in progress beyond it are finished.
    pub fn set_concurrency(&self, games: usize) {
        self.change(|orders| orders.pace.concurrency = games.max(1));
    }

    /// Takes back the games in progress, which will be replayed from their first move, and starts none until
    /// [`wake`](Self::wake). For times when this process does not run but the clocks of the engines would.
    pub fn suspend(&self) {
        self.change(|orders| orders.suspended = true);
    }

    /// Waits until there are no workers, and so no engines.
    pub async fn vacated(&self) {
        self.wait_until(|orders| orders.permits.is_empty()).await;
    }

    /// Plays on after [`suspend`](Self::suspend).
    pub fn wake(&self) {
        self.change(|orders| orders.suspended = false);
    }

    /// The concurrency, and whether the run is paused.
    pub fn pace(&self) -> Pace {
        self.orders.borrow().pace
    }

    async fn wait_until(&self, is_so: impl FnMut(&Orders) -> bool) {
        // The sender lives as long as this handle, so this only ends when the condition holds.
        let _ = self.orders.subscribe().wait_for(is_so).await;
    }

    /// Changes the orders and notifies everyone who waits for that.
    fn change(&self, change: impl FnOnce(&mut Orders)) {
        self.orders.send_modify(change);
    }

    /// Waits until the games in progress must be abandoned.
    pub(crate) async fn abandoned(&self) {
        self.wait_until(|orders| orders.stop == StopLevel::Abandon).await;
    }

    /// Waits until the games in progress are taken back.
    pub(crate) async fn taken_back(&self) {
        self.wait_until(|orders| orders.suspended).await;
    }

    /// Waits until no games may be started, for now or for good.
    pub(crate) async fn at_rest(&self) {
        self.wait_until(|orders| orders.wanted() == 0).await;
    }

    /// Takes the free permit with the lowest number, if another worker is wanted.
    pub(crate) fn take_permit(&self) -> Option<usize> {
        let mut taken = None;
        self.orders.send_if_modified(|orders| {
            if orders.games_left && orders.permits.len() < orders.wanted() {
                taken = (0..orders.wanted()).find(|permit| !orders.permits.contains_key(permit));
                orders.permits.extend(taken.map(|permit| (permit, true)));
            }
            // Only the supervisor waits for permits, and it is the caller.
            false
        });
        taken
    }

    /// Whether the worker with this permit may start another game. Otherwise it must end.
    pub(crate) fn may_play(&self, permit: usize) -> bool {
        let mut stays = false;
        self.orders.send_if_modified(|orders| {
            let staying = orders.permits.values().filter(|stays| **stays).count();
            stays = staying <= orders.wanted();
            orders.permits.insert(permit, stays);
            false
        });
        stays
    }

    pub(crate) fn return_permit(&self, permit: usize) {
        self.change(|orders| {
            orders.permits.remove(&permit);
        });
    }

    /// Sets whether there are games that no worker has taken yet.
    pub(crate) fn set_games_left(&self, games_left: bool) {
        self.change(|orders| orders.games_left = games_left);
    }

    /// Whether no more workers will be needed, whatever is ordered.
    pub(crate) fn is_winding_up(&self) -> bool {
        let orders = self.orders.borrow();
        orders.stop > StopLevel::Running || !orders.games_left && orders.permits.is_empty()
    }

    pub(crate) fn listener(&self) -> watch::Receiver<Orders> {
        self.orders.subscribe()
    }
}

/// How urgently a run must end. The level only rises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// Play on.
    #[default]
    Running,
    /// Start no more games and finish those in progress.
    Finish,
    /// Abandon the games in progress.
    Abandon,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(control: &RunControl) -> Vec<usize> {
        std::iter::from_fn(|| control.take_permit()).collect()
    }

    #[test]
    fn a_second_interruption_abandons_and_nothing_takes_it_back() {
        let control = RunControl::new(1);
        assert_eq!(control.interrupt(), StopLevel::Finish);
        assert_eq!(control.clone().interrupt(), StopLevel::Abandon);
        assert_eq!(control.raise(StopLevel::Finish), StopLevel::Abandon);
        control.resume();
        assert_eq!((control.level(), permits(&control)), (StopLevel::Abandon, vec![]));
    }

    #[test]
    fn as_many_permits_leave_as_are_too_many_and_the_first_free_one_is_taken_again() {
        let control = RunControl::new(3);
        assert_eq!(permits(&control), [0, 1, 2]);
        control.set_concurrency(5);
        assert_eq!(permits(&control), [3, 4]);
        let control = RunControl::new(3);
        permits(&control);
        control.set_concurrency(2);
        assert!(!control.may_play(1));
        assert!(control.may_play(0) && control.may_play(2), "one has given up its permit already");
        control.set_concurrency(3);
        assert_eq!(control.take_permit(), None, "the worker on permit 1 has not gone yet");
        control.return_permit(1);
        assert_eq!(control.take_permit(), Some(1));
    }
}
