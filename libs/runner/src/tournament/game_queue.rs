//! The games that nobody plays yet.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::{Pairing, Schedule, ScheduledOpenings};
use crate::{GameRecord, OpeningRecord};

/// Hands out the games of a schedule in their order, each once; shared by all workers.
#[derive(Debug)]
pub(crate) struct GameQueue {
    state: Mutex<State>,
    /// Wakes those who wait for a game when results came in.
    results: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    schedule: Schedule,
    openings: ScheduledOpenings,
    /// The first game that was not handed out yet.
    next: u32,
    /// Games that were handed out and came back without a result.
    returned: BTreeSet<u32>,
}

impl GameQueue {
    /// The games of the schedule that have no result yet.
    pub(crate) fn new(schedule: Schedule, openings: ScheduledOpenings) -> GameQueue {
        let next = schedule.to_play().start;
        GameQueue {
            state: Mutex::new(State { schedule, openings, next, returned: BTreeSet::new() }),
            results: watch::Sender::new(()),
        }
    }

    /// The next game. Waits where it depends on games that are being played; `None` when there will be no more.
    pub(crate) async fn next(&self) -> Option<(Pairing, OpeningRecord)> {
        let mut results = self.results.subscribe();
        loop {
            {
                let mut state = self.state();
                if let Some(game) = state.take_next() {
                    return Some(game);
                }
                if !state.schedule.may_grow() {
                    return None;
                }
            }
            // The sender lives as long as the queue.
            let _ = results.changed().await;
        }
    }

    /// Takes back a game that was not played to its end. It is the first to be handed out again.
    pub(crate) fn put_back(&self, game: u32) {
        self.state().returned.insert(game);
    }

    /// Takes the result of a game, if it has one. To be called when the result is safe on the disk.
    pub(crate) fn record(&self, record: &GameRecord) {
        let Some(result) = record.result else { return };
        self.state().schedule.record(record.game, result);
        self.results.send_replace(());
    }

    /// Whether every game has its result.
    pub(crate) fn is_over(&self) -> bool {
        self.state().schedule.is_over()
    }

    /// Whether an engine may have to play again.
    pub(crate) fn may_need(&self, engine: usize) -> bool {
        self.state().schedule.may_need(engine)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take_next(&mut self) -> Option<(Pairing, OpeningRecord)> {
        loop {
            let game = self.returned.pop_first().unwrap_or(self.next);
            let pairing = self.schedule.pairing(game).filter(|_| self.schedule.to_play().contains(&game))?;
            self.next = self.next.max(game + 1);
            if !self.schedule.has_result(pairing.game) {
                return Some((pairing, self.openings.of(&pairing)));
            }
        }
    }
}
