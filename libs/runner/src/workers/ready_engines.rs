//! Engines that are ready to play: how they get there, and where they wait between games.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::RunConfig;
use crate::play::ponder;
use crate::process::{ClockKind, ClockProbe, EngineError, EngineInfo, EngineProcess, SettingError};

impl RunConfig {
    /// Sets the options of an engine that was started, and waits until it is ready. If unknown options are allowed, they are
    /// sent as well; [`unknown_options`](Self::unknown_options) lists them.
    pub(super) async fn make_ready(
        &self,
        engine: usize,
        process: &mut EngineProcess,
    ) -> Result<(), EngineError> {
        let config = &self.engines[engine];
        let timeout = config.start_timeout.unwrap_or(self.timeouts.ready);
        process.handshake(timeout).await?;
        if let Some(refusal) = process.refuses(self.limits_of(engine)) {
            return Err(refusal);
        }
        if let Some((name, value)) = self.variant.uci_option() {
            process.set_option(name, Some(value), timeout).await?;
        }
        if self.asks_to_ponder(engine) && ponder::can_ponder(process) {
            process.set_option(ponder::OPTION, Some("true"), timeout).await?;
        }
        for setting in &config.options {
            let (name, value) = (&setting.name, setting.value.as_deref());
            if self.allow_unknown || ponder::refuses(setting) {
                process.try_option(name, value, timeout).await?;
            } else {
                process.set_option(name, value, timeout).await?;
            }
        }
        process.is_ready(timeout).await
    }

    /// The configured options that an engine does not announce, each with the name that may have been meant.
    pub fn unknown_options(&self, engine: usize, introduction: &EngineInfo) -> Vec<SettingError> {
        let checked = self.engines[engine]
            .options
            .iter()
            .filter(|setting| !ponder::refuses(setting))
            .map(|setting| introduction.check_setting(&setting.name, setting.value.as_deref()));
        checked.filter_map(Result::err).filter(|error| error.is_unknown).collect()
    }

    /// Refuses an engine that cannot be timed by the clock of the run.
    async fn check_clock(&self, engine: usize, process: &mut EngineProcess) -> Result<(), EngineError> {
        let config = &self.engines[engine];
        if self.clock == ClockKind::Wall {
            return Ok(());
        }
        match process.probe_clock(config).await? {
            ClockProbe::Fails(obstacle) => Err(EngineError::Clock { engine: config.name.clone(), obstacle }),
            ClockProbe::Holds(_) | ClockProbe::Unknown => Ok(()),
        }
    }

    /// As [`check_engines`](Self::check_engines), but on a thread that plays, and the processes of the engines `first` are kept
    /// for its first game if their clock and their files allow it.
    pub(super) async fn introduce(
        &self,
        first: &[usize],
    ) -> Result<(Vec<EngineInfo>, IdleEngines), EngineError> {
        // As many at once as in a game, unless only one process at a time may use something.
        let is_shared = self.engines.iter().any(|engine| engine.exclusive.is_some());
        // A clock probe is a search, which must not come before a game.
        let is_kept = |engine| !is_shared && self.clock == ClockKind::Wall && first.contains(&engine);
        let introductions =
            stream::iter(0..self.engines.len()).map(|engine| self.check_engine(engine, is_kept(engine)));
        let introduced: Vec<_> = introductions.buffered(if is_shared { 1 } else { 2 }).try_collect().await?;
        let (introductions, processes): (_, Vec<_>) = introduced.into_iter().unzip();
        let waiting = processes.into_iter().flatten().collect();
        Ok((introductions, IdleEngines { waiting, capacity: 0 }))
    }

    async fn check_engine(
        &self,
        engine: usize,
        is_kept: bool,
    ) -> Result<(EngineInfo, Option<(usize, EngineProcess)>), EngineError> {
        let before = self.engines[engine].before_start();
        let mut process = EngineProcess::start(&self.engines[engine], self.clock)?;
        self.make_ready(engine, &mut process).await?;
        self.check_clock(engine, &mut process).await?;
        let written = process.written_files(before);
        let introduction = EngineInfo { written, ..process.introduction().clone() };
        if is_kept {
            return Ok((introduction, Some((engine, process))));
        }
        process.quit().await;
        Ok((introduction, None))
    }
}

/// Engine processes that are ready for another game. An idle engine uses no CPU time, since it is put here only when its last
/// search has ended, but it uses memory, so the number is limited.
#[derive(Debug, Default)]
pub(super) struct IdleEngines {
    waiting: Vec<(usize, EngineProcess)>,
    capacity: usize,
}

impl IdleEngines {
    /// Keeps at most `capacity` engines.
    pub(super) fn with_capacity(capacity: usize) -> IdleEngines {
        IdleEngines { waiting: Vec::new(), capacity }
    }

    pub(super) fn has(&self, engine: usize) -> bool {
        self.waiting.iter().any(|(waiting, _)| *waiting == engine)
    }

    pub(super) fn put(&mut self, engine: usize, process: EngineProcess) {
        self.waiting.push((engine, process));
    }

    pub(super) fn take(&mut self, engine: usize) -> Option<EngineProcess> {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == engine)?;
        Some(self.waiting.remove(place).1)
    }

    /// Quits the engines that are no longer needed and, if there are too many, those that have been idle longest. The engines
    /// of the next game stay and are not counted.
    pub(super) async fn make_room(&mut self, next: [usize; 2], may_need: impl Fn(usize) -> bool) {
        let plays_next = |engine: usize| next.contains(&engine);
        let waits_on = |engine: usize| !plays_next(engine) && may_need(engine);
        let mut excess =
            self.waiting.iter().filter(|(engine, _)| waits_on(*engine)).count().saturating_sub(self.capacity);
        for (engine, process) in std::mem::take(&mut self.waiting) {
            let stays = plays_next(engine) || may_need(engine) && excess == 0;
            if stays {
                self.waiting.push((engine, process));
                continue;
            }
            excess -= usize::from(waits_on(engine));
            process.quit().await;
        }
    }

    pub(super) async fn dismiss_all(&mut self) {
        for (_, process) in std::mem::take(&mut self.waiting) {
            process.quit().await;
        }
    }
}
