//! The games that nobody plays yet.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::{GameRecord, OpeningRecord, Pairing, Schedule, ScheduledOpenings};

/// Hands out the games of a schedule in their order, each once; shared by all slots.
#[derive(Debug)]
pub(super) struct GameQueue {
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
}

impl GameQueue {
    /// The games of the schedule that have no result yet.
    pub(super) fn new(schedule: Schedule, openings: ScheduledOpenings) -> GameQueue {
        GameQueue {
            state: Mutex::new(State { schedule, openings, next: 0 }),
            results: watch::Sender::new(()),
        }
    }

    /// The next game. Waits where it depends on games that are being played; `None` when there will be no more.
    pub(super) async fn next(&self) -> Option<(Pairing, OpeningRecord)> {
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

    /// Takes the result of a game, if it has one. To be called when the result is safe on the disk.
    pub(super) fn record(&self, record: &GameRecord) {
        let Some(result) = record.result else { return };
        self.state().schedule.record(record.game, result);
        self.results.send_replace(());
    }

    /// Whether every game has its result.
    pub(super) fn is_over(&self) -> bool {
        self.state().schedule.is_over()
    }

    /// Whether an engine may have to play again.
    pub(super) fn may_need(&self, engine: usize) -> bool {
        self.state().schedule.may_need(engine)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take_next(&mut self) -> Option<(Pairing, OpeningRecord)> {
        loop {
            let pairing = self.schedule.pairing(self.next)?;
            self.next += 1;
            if !self.schedule.has_result(pairing.game) {
                return Some((pairing, self.openings.of_round(pairing.round)));
            }
        }
    }
}
