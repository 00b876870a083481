//! A place where games are played, one after the other.

use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use super::idle_engines::IdleEngines;
use super::seat::Seat;
use crate::play::{Ending, Game};
use crate::process::{EngineError, EngineProcess, Warden};
use crate::tournament::GameQueue;
use crate::{
    Event, GameRecord, LiveFeed, OpeningRecord, Pairing, RunConfig, RunControl, TableJudge, WarningKind,
};
use referee::Side;

/// What a slot tells the collector.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) event: Event,
    /// The protocol logs of a game that ended badly, White's first.
    pub(crate) log: Option<String>,
    /// Dropped with the notice; a slot that waits for that goes on when the collector has drawn its conclusions.
    pub(crate) handled: Option<oneshot::Sender<()>>,
    /// An engine lost the game because it did not get ready to play.
    pub(crate) unready: bool,
}

impl Notice {
    /// An event and nothing else.
    pub(super) fn of(event: Event) -> Notice {
        Notice { event, log: None, handled: None, unready: false }
    }

    /// An engine that does not start fails faster than the journal is synced, so the slot must not run ahead of the
    /// decision to stop. Returns what to wait for.
    fn wait_if_engine_failed(&mut self) -> Option<oneshot::Receiver<()>> {
        self.unready.then(|| {
            let (sender, receiver) = oneshot::channel();
            self.handled = Some(sender);
            receiver
        })
    }
}

/// One slot: plays games and keeps engines alive from one game to the next.
pub(super) struct Slot<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) queue: &'a GameQueue,
    pub(super) control: RunControl,
    /// Given back when the slot ends, however that comes about.
    pub(super) seat: Seat<'a>,
    pub(super) notices: mpsc::Sender<Notice>,
    /// The endgame tables that end games, if any do.
    pub(super) tables: Option<TableJudge>,
    /// Where the games show their positions.
    pub(super) live: LiveFeed,
    /// Engines that are ready for another game.
    pub(super) idle: IdleEngines,
}

impl Slot<'_> {
    /// Plays until there is no game left or the control of the run wants the seat back.
    pub(super) async fn run(mut self) {
        while let Some((pairing, opening)) = self.next_game().await {
            let Some(mut notice) = self.play(pairing, opening).await else { continue };
            let handled = notice.wait_if_engine_failed();
            if self.notices.send(notice).await.is_err() {
                break;
            }
            if let Some(handled) = handled {
                // Nothing is ever sent: it ends when the notice is dropped.
                let _ = handled.await;
            }
        }
        self.idle.dismiss_all().await;
    }

    /// The next game; `None` when there is none or the control of the run wants the seat back.
    async fn next_game(&self) -> Option<(Pairing, OpeningRecord)> {
        if !self.control.may_play(self.seat.number()) {
            return None;
        }
        let game = tokio::select! {
            biased;
            () = self.control.at_rest() => return None,
            game = self.queue.next() => game,
        };
        if game.is_none() {
            self.control.set_games_left(false);
        }
        game
    }

    /// Plays a game; `None` when it was taken back, and nothing of it is to be kept.
    async fn play(&mut self, pairing: Pairing, opening: OpeningRecord) -> Option<Notice> {
        let Pairing { game, white, black, .. } = pairing;
        let started = Event::GameStarted { game, white, black, at: Timestamp::now() };
        // If the collector is gone, the end of the game will show it.
        let _ = self.notices.send(Notice::of(started)).await;
        let control = self.control.clone();
        let mut state = Game::new(self.config, pairing, opening)
            .with_tables(self.tables.clone())
            .shown_in(self.live.clone());
        let mut seats = Seats::default();
        let ending = tokio::select! {
            ending = self.play_with(&mut state, pairing, &mut seats) => ending,
            () = control.abandoned() => Ending::abandoned(),
            () = control.taken_back() => {
                self.queue.put_back(game);
                self.control.set_games_left(true);
                return None;
            }
        };
        for event in state.warnings.events(pairing).chain(state.unreadable_tables()) {
            let _ = self.notices.send(Notice::of(event)).await;
        }
        let log = ending.termination.is_fault().then(|| seats.logs(&ending));
        // Who misbehaved, or was left in the middle of a game, does not play again.
        let survives = |side| ending.result.is_some() && ending.offender != Some(side);
        let seats = [(Side::White, white, seats.white), (Side::Black, black, seats.black)];
        for (_, engine, process) in seats.into_iter().filter(|(side, ..)| survives(*side)) {
            // One that ponders on after it was told to stop would take the next game's questions for its own.
            if let Some(process) = process.filter(|process| !process.is_pondering()) {
                self.idle.put(engine, process);
            }
        }
        if ending.offender.is_some() {
            // What it left behind must not disturb the next game.
            Warden::of_this_process().end_strays();
        }
        let unready = ending.unready;
        let record: GameRecord = state.into_record(ending).rounded_as_in_the_journal();
        Some(Notice { event: Event::GameFinished(Box::new(record)), log, handled: None, unready })
    }

    /// Fills the seats and plays.
    async fn play_with(&mut self, game: &mut Game<'_>, pairing: Pairing, seats: &mut Seats) -> Ending {
        self.idle.make_room([pairing.white, pairing.black], |engine| self.queue.may_need(engine)).await;
        for (side, index) in [(Side::White, pairing.white), (Side::Black, pairing.black)] {
            let seat = match side {
                Side::White => &mut seats.white,
                Side::Black => &mut seats.black,
            };
            if let Err(error) = self.fill(seat, index, side, game).await {
                let mut ending = Ending::engine_failure(side, &error);
                if let Some(engine) = seat {
                    game.explain(&mut ending, engine);
                }
                return ending;
            }
        }
        match (&mut seats.white, &mut seats.black) {
            (Some(white), Some(black)) => game.play(white, black).await,
            _ => Ending::abandoned(),
        }
    }

    /// Seats an idle engine, or one that is started now. One that does not get ready stays in its seat, so that it can
    /// be told what was said and who had the cores.
    async fn fill(
        &mut self,
        seat: &mut Option<EngineProcess>,
        index: usize,
        side: Side,
        game: &mut Game<'_>,
    ) -> Result<(), EngineError> {
        *seat = self.idle.take(index);
        if seat.is_some() {
            return Ok(());
        }
        let engine = seat.insert(EngineProcess::start(&self.config.engines[index].command())?);
        self.config.make_ready(index, engine).await?;
        for unknown in self.config.unknown_options(index, engine.introduction()) {
            game.warnings.add(side, WarningKind::UnknownOption, unknown.to_string());
        }
        Ok(())
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
