//! A place where games are played, one after the other.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use super::game::{Ending, Game};
use super::{
    CorePlan, Event, GameRecord, OpeningRecord, Pairing, RunConfig, ScheduledOpenings, Side, StopHandle,
    StopLevel, Termination,
};
use crate::process::{EngineError, EngineProcess};

/// The games that nobody plays yet; shared by all slots.
#[derive(Debug)]
pub(super) struct GameQueue {
    pub(super) pairings: VecDeque<Pairing>,
    pub(super) openings: ScheduledOpenings,
}

impl GameQueue {
    fn next(&mut self) -> Option<(Pairing, OpeningRecord)> {
        let pairing = self.pairings.pop_front()?;
        Some((pairing, self.openings.of_round(pairing.round)))
    }
}

/// What a slot tells the collector.
#[derive(Debug)]
pub(super) struct Notice {
    pub(super) event: Event,
    /// The protocol logs of a game that ended badly, White's first.
    pub(super) log: Option<String>,
    /// Dropped with the notice; a slot that waits for that goes on when the collector has drawn its conclusions.
    pub(super) handled: Option<Sender<()>>,
}

impl Notice {
    /// An engine that does not start fails faster than the journal is synced, so the slot must not run ahead of the
    /// decision to stop. Returns what to wait for.
    fn wait_if_engine_failed(&mut self) -> Option<Receiver<()>> {
        let Event::GameFinished(record) = &self.event else { return None };
        let failed = matches!(record.termination, Termination::FailedToStart | Termination::NoHandshake);
        failed.then(|| {
            let (sender, receiver) = channel();
            self.handled = Some(sender);
            receiver
        })
    }
}

/// One slot: a thread that plays games and keeps engines alive from one game to the next.
pub(super) struct Slot<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) queue: &'a Mutex<GameQueue>,
    /// The number of its seat; no other slot has the same at the same time.
    pub(super) seat: usize,
    pub(super) stop: StopHandle,
    pub(super) notices: Sender<Notice>,
    /// Engines that are ready for another game, with their index.
    pub(super) idle: Vec<(usize, EngineProcess)>,
}

impl Slot<'_> {
    /// Plays until there is no game left or the run is stopped. It has the thread to itself: the engines it starts live
    /// no longer than the thread.
    pub(super) fn run(mut self) -> io::Result<()> {
        if let Some(plan) = CorePlan::of_run(self.config).map_err(io::Error::other)? {
            plan.bind_this_thread(self.seat)?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            while let Some((pairing, opening)) = self.next_game() {
                let mut notice = self.play(pairing, opening).await;
                let handled = notice.wait_if_engine_failed();
                if self.notices.send(notice).is_err() {
                    break;
                }
                if let Some(handled) = handled {
                    // Nothing is ever sent: it ends when the notice is dropped.
                    let _ = handled.recv();
                }
            }
            self.dismiss(|_| true).await;
        });
        Ok(())
    }

    fn next_game(&self) -> Option<(Pairing, OpeningRecord)> {
        if self.stop.level() > StopLevel::Running {
            return None;
        }
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    async fn play(&mut self, pairing: Pairing, opening: OpeningRecord) -> Notice {
        let Pairing { game, white, black, .. } = pairing;
        let started = Event::GameStarted { game, white, black, at: Timestamp::now() };
        // If the collector is gone, the end of the game will show it.
        let _ = self.notices.send(Notice { event: started, log: None, handled: None });
        let stop = self.stop.clone();
        let mut state = Game::new(self.config, pairing, opening);
        let mut seats = Seats::default();
        let ending = tokio::select! {
            ending = self.play_with(&mut state, pairing, &mut seats) => ending,
            () = stop.abandoned() => Ending::abandoned(),
        };
        let log = ending.termination.is_fault().then(|| seats.logs(&ending));
        let survivors = match ending.offender {
            _ if ending.result.is_none() => [None, None],
            Some(Side::White) => [None, seats.black.map(|engine| (black, engine))],
            Some(Side::Black) => [seats.white.map(|engine| (white, engine)), None],
            None => [seats.white.map(|engine| (white, engine)), seats.black.map(|engine| (black, engine))],
        };
        // One that ponders on after it was told to stop would take the next game's questions for its own.
        self.idle.extend(survivors.into_iter().flatten().filter(|(_, engine)| !engine.is_pondering()));
        let record: GameRecord = state.into_record(ending);
        Notice { event: Event::GameFinished(Box::new(record)), log, handled: None }
    }

    /// Fills the seats and plays.
    async fn play_with(&mut self, game: &mut Game<'_>, pairing: Pairing, seats: &mut Seats) -> Ending {
        self.dismiss(|engine| engine != pairing.white && engine != pairing.black).await;
        match self.engine(pairing.white).await {
            Ok(engine) => seats.white = Some(engine),
            Err(error) => return Ending::engine_failure(Side::White, &error),
        }
        match self.engine(pairing.black).await {
            Ok(engine) => seats.black = Some(engine),
            Err(error) => return Ending::engine_failure(Side::Black, &error),
        }
        match (&mut seats.white, &mut seats.black) {
            (Some(white), Some(black)) => game.play(white, black).await,
            _ => Ending::abandoned(),
        }
    }

    /// An idle engine, or one that is started now.
    async fn engine(&mut self, index: usize) -> Result<EngineProcess, EngineError> {
        match self.idle.iter().position(|(engine, _)| *engine == index) {
            Some(place) => Ok(self.idle.swap_remove(place).1),
            None => self.config.ready_engine(index).await,
        }
    }

    /// Sends engines away that are not needed.
    async fn dismiss(&mut self, unneeded: impl Fn(usize) -> bool) {
        let (leaving, staying) =
            std::mem::take(&mut self.idle).into_iter().partition(|(engine, _)| unneeded(*engine));
        self.idle = staying;
        let leaving: Vec<(usize, EngineProcess)> = leaving;
        for (_, engine) in leaving {
            engine.quit().await;
        }
    }
}

/// The two engines of a game. They stay here when the game is broken off.
#[derive(Default)]
struct Seats {
    white: Option<EngineProcess>,
    black: Option<EngineProcess>,
}

impl Seats {
    fn logs(&self, ending: &Ending) -> String {
        let log = |engine: &Option<EngineProcess>| {
            engine.as_ref().map_or_else(|| "# not running\n".to_owned(), EngineProcess::protocol_log)
        };
        format!(
            "# {}: {}\n# White\n{}# Black\n{}",
            ending.termination,
            ending.detail.as_deref().unwrap_or_default(),
            log(&self.white),
            log(&self.black),
        )
    }
}
