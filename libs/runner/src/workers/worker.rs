//! A worker, which plays games one after the other.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::{mpsc, oneshot};

use super::Patience;
use super::permit::Permit;
use super::ready_engines::IdleEngines;
use crate::play::{Ending, Game};
use crate::process::{EngineError, EngineProcess, ProcessReaper};
use crate::tournament::{GameQueue, QueuedGame};
use crate::used_files::UsedFiles;
use crate::{
    BAD_GAMES_FOLDER, Event, FinishReason, GAME_LOGS_FOLDER, GameRecord, LiveFeed, Pairing, RunConfig,
    RunControl, TablebaseAdjudicator, UciSetting, WarningKind,
};
use referee::Side;

#[derive(Debug)]
pub(crate) struct WorkerMessage {
    pub(crate) event: Event,
    /// Files about the game, by their paths in the run folder: its protocol logs, White's first.
    pub(crate) logs: Vec<(PathBuf, Vec<u8>)>,
    /// Dropped with the message; a worker that waits for that continues when the collector has handled the message.
    pub(crate) handled: Option<oneshot::Sender<()>>,
    /// Whether an engine lost the game because it did not get ready to play.
    pub(crate) unready: bool,
}

impl WorkerMessage {
    pub(crate) fn of(event: Event) -> WorkerMessage {
        WorkerMessage { event, logs: Vec::new(), handled: None, unready: false }
    }

    /// An engine that does not start fails faster than the journal is synced, so the worker must not run ahead of the decision
    /// to stop. Returns what to wait for.
    fn wait_if_engine_failed(&mut self) -> Option<oneshot::Receiver<()>> {
        self.unready.then(|| {
            let (sender, receiver) = oneshot::channel();
            self.handled = Some(sender);
            receiver
        })
    }
}

/// What all workers of a run share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<RunConfig>,
    pub(crate) queue: Arc<GameQueue>,
    pub(crate) control: RunControl,
    pub(crate) messages: mpsc::Sender<WorkerMessage>,
    pub(crate) tables: Option<TablebaseAdjudicator>,
    pub(crate) files: Arc<UsedFiles>,
    pub(crate) patience: Arc<Patience>,
    /// The feed of positions for those who watch the games.
    pub(crate) live: LiveFeed,
}

/// A worker: plays games and keeps engines running from one game to the next.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) shared: Shared,
    /// Returned when the worker ends for any reason.
    pub(super) permit: Permit,
    /// Engines that are ready for another game.
    pub(super) idle: IdleEngines,
    /// Engines that were started before the run began, for the first game.
    pub(super) introduced: IdleEngines,
}

impl Worker {
    /// This worker with engines that were started before the run began.
    pub(super) fn with(self, introduced: IdleEngines) -> Worker {
        Worker { introduced, ..self }
    }

    /// Plays until no game is left or the control of the run takes the permit back.
    pub(super) async fn run(mut self) {
        let mut is_first = true;
        while let Some(game) = self.next_game().await {
            if !std::mem::take(&mut is_first) && !self.shared.config.wait.is_zero() {
                // A game that is abandoned or taken back meanwhile begins, and ends at once.
                tokio::select! {
                    () = tokio::time::sleep(self.shared.config.wait) => {}
                    () = self.shared.control.abandoned() => {}
                    () = self.shared.control.taken_back() => {}
                }
            }
            let number = game.pairing.game;
            let message = self.play(game).await;
            self.shared.queue.release(number);
            let Some(mut message) = message else { continue };
            let handled = message.wait_if_engine_failed();
            if self.shared.messages.send(message).await.is_err() {
                break;
            }
            if let Some(handled) = handled {
                // No value is ever sent: the wait ends when the message is dropped.
                let _ = handled.await;
            }
        }
        self.idle.dismiss_all().await;
    }

    async fn next_game(&self) -> Option<QueuedGame> {
        if !self.shared.control.may_play(self.permit.number) {
            return None;
        }
        let game = tokio::select! {
            biased;
            () = self.shared.control.at_rest() => return None,
            game = self.shared.queue.next() => game,
        };
        if game.is_none() {
            self.shared.control.set_games_left(false);
        }
        game
    }

    /// Plays a game; `None` if it was taken back, and nothing of it is to be kept.
    async fn play(&mut self, queued: QueuedGame) -> Option<WorkerMessage> {
        let QueuedGame { pairing, opening, tuned } = queued;
        let Pairing { game, white, black, .. } = pairing;
        let started = Event::GameStarted { game, white, black, at: crate::now() };
        // If the collector is gone, the end of the game will show it.
        let _ = self.shared.messages.send(WorkerMessage::of(started)).await;
        let control = self.shared.control.clone();
        let config = Arc::clone(&self.shared.config);
        let mut state =
            Game::new(&config, pairing, opening, self.shared.tables.clone(), self.shared.live.clone());
        state.stall = [white, black].map(|engine| self.shared.patience.with(engine));
        let has_played = [white, black].map(|engine| self.idle.has(engine));
        let mut players = BothEngines::default();
        let ending = tokio::select! {
            ending = self.play_with(&mut state, pairing, &tuned, &mut players) => ending,
            () = control.abandoned() => Ending::abandoned(),
            () = control.taken_back() => {
                self.shared.queue.put_back(game);
                self.shared.control.set_games_left(true);
                return None;
            }
        };
        for event in state.warnings.events(pairing).chain(state.unreadable_tables()) {
            let _ = self.shared.messages.send(WorkerMessage::of(event)).await;
        }
        let logs = self.logs_of(game, &ending, &players).await;
        // An engine that was at fault, or left in the middle of a game, does not play again.
        let survives = |side| {
            let engine = &self.shared.config.engines[pairing.engine(side)];
            let at_once = self.shared.control.pace().concurrency;
            let is_in_the_way = self.shared.queue.is_in_the_way(pairing.engine(side), at_once);
            ending.result.is_some() && ending.offender != Some(side) && !engine.restart && !is_in_the_way
        };
        let players = [(Side::White, white, players.white), (Side::Black, black, players.black)];
        for ((_, engine, process), has_played) in players.iter().zip(has_played) {
            // Reading it takes time, so it is read once for each process.
            if let Some(held) = process.as_ref().filter(|_| !has_played).and_then(EngineProcess::peak_memory)
            {
                self.shared.queue.learn_memory(*engine, held);
            }
        }
        for (_, engine, process) in players.into_iter().filter(|(side, ..)| survives(*side)) {
            // An engine that ponders on after `stop` would answer the next game's questions wrongly.
            if let Some(process) = process.filter(EngineProcess::plays_again) {
                self.idle.put(engine, process);
            }
        }
        if ending.offender.is_some() {
            // Processes that it left behind must not disturb the next game.
            ProcessReaper::of_this_process().end_strays();
        }
        // An engine that fails between two games did start.
        let unready = ending.unready
            && !ending.offender.is_some_and(|side| has_played[usize::from(side == Side::Black)]);
        let record: GameRecord = state.into_record(ending).rounded_as_in_the_journal();
        self.shared.patience.learn(&record);
        Some(WorkerMessage { event: Event::GameFinished(Box::new(record)), logs, handled: None, unready })
    }

    /// The protocol logs of a game, if it ended by a fault or they are wanted.
    async fn logs_of(&self, game: u32, ending: &Ending, players: &BothEngines) -> Vec<(PathBuf, Vec<u8>)> {
        let (is_fault, is_wanted) = (ending.termination.is_fault(), self.shared.config.logs.has(game));
        if !is_fault && !is_wanted {
            return Vec::new();
        }
        let text = players.logs(ending).await.into_bytes();
        // The number counts from 1, as in the display, the table and the PGN.
        let number = game + 1;
        let mut logs = Vec::new();
        if is_wanted {
            // Writing to memory never fails.
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            let packed = packed.write_all(&text).and_then(|()| packed.finish()).unwrap_or_default();
            logs.push((Path::new(GAME_LOGS_FOLDER).join(format!("{number}.log.gz")), packed));
        }
        if is_fault {
            logs.push((Path::new(BAD_GAMES_FOLDER).join(format!("{number}.log")), text));
        }
        logs
    }

    async fn play_with(
        &mut self,
        game: &mut Game<'_>,
        pairing: Pairing,
        tuned: &[Vec<UciSetting>; 2],
        players: &mut BothEngines,
    ) -> Ending {
        self.idle
            .make_room([pairing.white, pairing.black], |engine| {
                self.shared.queue.schedule(|schedule| schedule.may_need(engine))
            })
            .await;
        let BothEngines { white, black } = players;
        (*white, *black) = (self.idle.take(pairing.white), self.idle.take(pairing.black));
        let mut introduced = std::mem::take(&mut self.introduced);
        let [first, second] = [pairing.white, pairing.black].map(|engine| introduced.take(engine));
        introduced.dismiss_all().await;
        // An engine may take long to start.
        let (white_filled, black_filled) =
            tokio::join!(self.fill(white, pairing.white, first), self.fill(black, pairing.black, second));
        for (side, index, player, filled) in [
            (Side::White, pairing.white, &mut *white, white_filled),
            (Side::Black, pairing.black, &mut *black, black_filled),
        ] {
            let ready = match (filled, player.as_mut()) {
                (Ok(is_held), Some(engine)) => {
                    self.warn_of_start(game, side, index, is_held, engine);
                    engine.keep_whole_log(self.shared.config.logs.has(pairing.game));
                    engine.games.push(pairing.game);
                    self.tune(engine, tuned.get(index).map_or(&[][..], Vec::as_slice)).await
                }
                (filled, _) => filled.map(drop),
            };
            if let Err(error) = ready {
                if let EngineError::Changed { .. } = error {
                    self.shared.queue.break_off(FinishReason::FileChanged { detail: error.to_string() });
                    return Ending::abandoned();
                }
                let mut ending = Ending::engine_failure(side, &error);
                if let Some(engine) = player {
                    game.explain(&mut ending, engine);
                }
                return ending;
            }
        }
        match (white, black) {
            (Some(white), Some(black)) => game.play(white, black).await,
            _ => Ending::abandoned(),
        }
    }

    /// Gets an idle, an introduced or a new engine for `player`. If it does not get ready, it stays there, to report its
    /// output and who had the cores. Returns whether it is new, and if so, whether it runs the held file.
    async fn fill(
        &self,
        player: &mut Option<EngineProcess>,
        index: usize,
        introduced: Option<EngineProcess>,
    ) -> Result<Option<bool>, EngineError> {
        if player.is_some() {
            return Ok(None);
        }
        let name = &self.shared.config.engines[index].name;
        let mut way = self.shared.files.way_to_start(index, name)?;
        if let (Some(introduced), None) = (introduced, &way) {
            let engine = player.insert(introduced);
            engine.call(name);
            engine.keep_lines(&self.shared.config.pgn.match_lines);
            return Ok(Some(false));
        }
        loop {
            let started = self.start(index, way.clone(), player).await;
            // Its files may have been replaced while it was started and read them.
            let now = self.shared.files.way_to_start(index, name)?;
            if now == way {
                return started.map(|()| Some(way.is_some()));
            }
            way = now;
        }
    }

    /// Warns about what is unusual in an engine that was just started.
    fn warn_of_start(
        &self,
        game: &mut Game<'_>,
        side: Side,
        index: usize,
        is_held: Option<bool>,
        engine: &EngineProcess,
    ) {
        let Some(is_held) = is_held else { return };
        if is_held {
            let program = self.shared.config.engines[index].program.display();
            let text =
                format!("another program is at {program} now; the run goes on with the one it began with");
            game.warnings.add(side, WarningKind::ProgramReplaced, text, None);
        }
        for unknown in self.shared.config.unknown_options(index, engine.introduction()) {
            let text = unknown.to_string();
            game.warnings.add(side, WarningKind::UnknownOption, text, Some(unknown.option.clone()));
        }
    }

    /// Starts an engine by its own path or another, and gets it ready.
    async fn start(
        &self,
        index: usize,
        held: Option<PathBuf>,
        player: &mut Option<EngineProcess>,
    ) -> Result<(), EngineError> {
        let RunConfig { engines, clock, .. } = &*self.shared.config;
        let engine = player.insert(EngineProcess::start_by(&engines[index], *clock, held.as_deref())?);
        engine.keep_lines(&self.shared.config.pgn.match_lines);
        self.shared.live.tap.iter().for_each(|tap| engine.tap(tap));
        self.shared.config.make_ready(index, engine).await
    }

    /// Sets the tuned options to the values of this game.
    async fn tune(&self, engine: &mut EngineProcess, settings: &[UciSetting]) -> Result<(), EngineError> {
        let timeout = self.shared.config.timeouts.ready;
        for UciSetting { name, value } in settings {
            engine.set_option(name, value.as_deref(), timeout).await?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct BothEngines {
    white: Option<EngineProcess>,
    black: Option<EngineProcess>,
}

impl BothEngines {
    async fn logs(&self, ending: &Ending) -> String {
        // Its explanation may come after its answer.
        let offender = match ending.offender {
            Some(Side::White) => self.white.as_ref(),
            Some(Side::Black) => self.black.as_ref(),
            None => None,
        };
        if let Some(engine) = offender {
            engine.hear_out().await;
        }
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
