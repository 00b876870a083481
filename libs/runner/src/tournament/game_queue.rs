//! The queue of games to be played.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::resources::Resources;
use super::{Schedule, ScheduledOpenings};
use crate::{FinishReason, GameRecord, OpeningRecord, Pairing, RunConfig, UciSetting};
use referee::Side;

/// Hands out the games of a schedule in order, each once; shared by all workers.
#[derive(Debug)]
pub(crate) struct GameQueue {
    state: Mutex<State>,
    /// Wakes those who wait for a game when results have come in.
    results: watch::Sender<()>,
}

#[derive(Debug)]
pub(crate) struct QueuedGame {
    pub(crate) pairing: Pairing,
    pub(crate) opening: OpeningRecord,
    /// The values of the tuned options of each engine; empty in other runs.
    pub(crate) tuned: [Vec<UciSetting>; 2],
}

/// The most games that are skipped in search of one that can be played now.
const MOST_PASSED: u32 = 1000;

enum Next {
    Game(Box<QueuedGame>),
    /// No game now: the next one depends on games in progress.
    Later,
    /// No more games.
    Nothing,
}

#[derive(Debug)]
struct State {
    schedule: Schedule,
    openings: ScheduledOpenings,
    /// The first game that was not handed out yet.
    next: u32,
    /// Games that were handed out and came back without a result, and games that were skipped since they need what others
    /// occupy.
    returned: BTreeSet<u32>,
    resources: Resources,
    start_attempts: u32,
    /// How often in a row each engine has failed to start.
    failed_starts: Vec<u32>,
    /// The reason if an engine has failed so often that the run ends.
    broken: Option<FinishReason>,
}

impl GameQueue {
    /// A queue of the scheduled games that have no result yet, for engines that may hold `room` bytes of memory.
    pub(crate) fn new(
        config: &RunConfig,
        schedule: Schedule,
        openings: ScheduledOpenings,
        room: u64,
    ) -> GameQueue {
        let state = State {
            next: schedule.to_play().next_from(0),
            schedule,
            openings,
            returned: BTreeSet::new(),
            resources: Resources::new(config, room),
            start_attempts: config.start_attempts,
            failed_starts: vec![0; config.engines.len()],
            broken: None,
        };
        GameQueue { state: Mutex::new(state), results: watch::Sender::new(()) }
    }

    /// The next game. Waits if it depends on games that are being played; `None` if there will be no more.
    pub(crate) async fn next(&self) -> Option<QueuedGame> {
        let mut results = self.results.subscribe();
        loop {
            let next = self.state().take_next();
            match next {
                Next::Game(game) => return Some(*game),
                Next::Nothing => return None,
                Next::Later => {}
            }
            // The sender lives as long as the queue.
            let _ = results.changed().await;
        }
    }

    /// Takes back a game that was not played to its end. It will be handed out first.
    pub(crate) fn put_back(&self, game: u32) {
        self.state().returned.insert(game);
    }

    /// Frees what the engines of a game have occupied, when they have left it.
    pub(crate) fn release(&self, game: u32) {
        if self.state().resources.release(game) {
            self.results.send_replace(());
        }
    }

    /// Takes notice of the most memory that a process of an engine has held, in bytes.
    pub(crate) fn learn_memory(&self, engine: usize, held: u64) {
        self.state().resources.learn(engine, held);
    }

    /// Whether an engine that waits for its next game would occupy what other games need.
    pub(crate) fn is_in_the_way(&self, engine: usize, games_at_once: usize) -> bool {
        self.state().resources.is_in_the_way(engine, games_at_once)
    }

    /// Adds a finished game, and sets in its record whether it ended after the decision. `unready` is whether an engine
    /// lost it by not getting ready to play.
    pub(crate) fn record(&self, record: &mut GameRecord, unready: bool) {
        let mut state = self.state();
        record.after_decision =
            state.broken.is_none() && state.schedule.has_decided(record.white, record.black);
        state.count_failed_starts(record, unready);
        if state.schedule.add(record) {
            drop(state);
            self.results.send_replace(());
        }
    }

    /// Calls `ask` with the schedule, which has the results of the finished games.
    pub(crate) fn schedule<T>(&self, ask: impl FnOnce(&mut Schedule) -> T) -> T {
        ask(&mut self.state().schedule)
    }

    /// Ends the run for this reason, unless it already ends for another one.
    pub(crate) fn break_off(&self, reason: FinishReason) {
        let mut state = self.state();
        if state.schedule.verdict().is_none() {
            state.broken.get_or_insert(reason);
        }
    }

    pub(crate) fn verdict(&self) -> Option<FinishReason> {
        let state = self.state();
        state.broken.as_ref().or(state.schedule.verdict()).cloned()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn count_failed_starts(&mut self, record: &GameRecord, unready: bool) {
        for side in [Side::White, Side::Black] {
            let engine = record.engine(side);
            let count = &mut self.failed_starts[engine];
            if unready && record.offender == Some(side) {
                *count += 1;
            } else if !unready {
                *count = 0;
            }
            if *count >= self.start_attempts && self.broken.is_none() && self.schedule.verdict().is_none() {
                let detail = record.detail.clone().unwrap_or_default();
                self.broken = Some(FinishReason::EngineDoesNotStart { engine, detail });
            }
        }
    }

    fn take_next(&mut self) -> Next {
        if matches!(self.broken, Some(FinishReason::FileChanged { .. })) {
            return Next::Nothing;
        }
        let (mut from, mut passed) = (0, 0);
        loop {
            let part = self.schedule.to_play();
            let game = self.returned.range(from..).next().copied().unwrap_or(self.next);
            let pairing = self.schedule.pairing(game).filter(|_| part.contains(game));
            let Some(pairing) = pairing else {
                return if passed > 0 || self.schedule.question().rule().to_come().is_some() {
                    Next::Later
                } else {
                    Next::Nothing
                };
            };
            let is_over =
                self.schedule.has_result(game) || self.schedule.has_dropped(pairing.white, pairing.black);
            if !is_over && !self.resources.fit(&pairing) {
                self.returned.insert(game);
                self.next = self.next.max(part.next_from(game + 1));
                (from, passed) = (game + 1, passed + 1);
                if passed == MOST_PASSED {
                    return Next::Later;
                }
                continue;
            }
            let tuned = match (!is_over).then(|| self.schedule.question().rule().settings(pairing.pair)) {
                Some(None) => return Next::Later,
                tuned => tuned.flatten(),
            };
            self.returned.remove(&game);
            self.next = self.next.max(part.next_from(game + 1));
            if let Some(tuned) = tuned {
                self.resources.occupy(pairing);
                let opening = self.openings.of(&pairing);
                return Next::Game(Box::new(QueuedGame { pairing, opening, tuned }));
            }
        }
    }
}
