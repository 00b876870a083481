//! Engines outside matches for blocking callers, each with the runtime of its process.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use referee::Variant;
use runner::process::{Answer, ClockKind, EngineError, EngineProcess, SearchFailure};
use runner::{EngineConfig, SearchTask, UciSetting};
use tokio::runtime::Runtime;
use uci::{Info, OptionKind, UciMove};

use crate::cli::console;

/// The option by which an engine shows that it plays Chess960.
pub const CHESS960: &str = "UCI_Chess960";

const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// A started engine with its options set and a game begun. Dropping it kills the process.
#[derive(Debug)]
pub struct EngineSession {
    process: EngineProcess,
    engine: EngineConfig,
    variant: Variant,
    /// Must be dropped last: on Windows, dropping it waits for pending reads, which end with the process.
    runtime: Runtime,
}

impl EngineSession {
    /// Ends the process; call only [`restart`](Self::restart) after it. On Linux the system forgets the program's file, and
    /// reads it into other memory for the next process: two copies of one program differed by 2% for as long as their
    /// files stayed where they were.
    pub fn end(&mut self) {
        #[cfg(target_os = "linux")]
        let program = self.process.id().and_then(|id| std::fs::File::open(format!("/proc/{id}/exe")).ok());
        self.runtime.block_on(self.process.end());
        #[cfg(target_os = "linux")]
        if let Some(program) = program {
            // Only what is on the disk is forgotten. Without this the measurement is right too, only less exact.
            let _ = program.sync_data();
            let _ = rustix::fs::fadvise(program, 0, None, rustix::fs::Advice::DontNeed);
        }
    }

    /// Starts a new process in place of the one that was ended, with the same options.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process = self.runtime.block_on(ready(&self.engine, ClockKind::Wall, READY_TIMEOUT))?;
        self.variant = Variant::Standard;
        Ok(())
    }

    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// Whether the engine announces the option, and its value, that a variant needs.
    pub fn plays(&self, variant: Variant) -> bool {
        let introduction = self.introduction();
        variant.uci_option().is_none_or(|(name, value)| introduction.check_setting(name, Some(value)).is_ok())
    }

    /// Tells the engine the variant of the next position, if it has changed.
    pub fn set_variant(&mut self, variant: Variant) -> Result<(), EngineError> {
        if self.variant == variant {
            return Ok(());
        }
        let (old, new) = (self.variant.uci_option(), variant.uci_option());
        if let Some((name, _)) = old.filter(|(old, _)| new.is_none_or(|(new, _)| new != *old)) {
            let usual = match self.introduction().option(name).map(|option| &option.kind) {
                Some(OptionKind::Combo { default, .. }) => default.clone(),
                _ => "false".to_owned(),
            };
            self.set_option(name, Some(&usual))?;
        }
        if let Some((name, value)) = new {
            self.set_option(name, Some(value))?;
        }
        self.new_game()?;
        self.variant = variant;
        Ok(())
    }

    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.set_option(name, value, READY_TIMEOUT))
    }

    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.new_game(READY_TIMEOUT))
    }

    /// Sends one or more lines, and calls `is_last` with each line of the answer until it holds. Returns the elapsed time.
    pub fn ask(
        &mut self,
        question: &str,
        timeout: Duration,
        is_last: impl FnMut(&str) -> bool,
    ) -> Result<Duration, EngineError> {
        self.runtime.block_on(self.process.ask(question, timeout, is_last))
    }

    pub fn search(&mut self, question: SearchTask<'_>, timeout: Duration) -> Result<Answer, SearchFailure> {
        self.runtime.block_on(self.process.search(question, timeout))
    }

    /// Searches, and calls `visit` with each `info`. Returns the time, and the move or the line that has none.
    pub fn watch_search(
        &mut self,
        question: SearchTask<'_>,
        timeout: Duration,
        visit: impl FnMut(Info),
    ) -> Result<(Duration, Result<UciMove, String>), EngineError> {
        self.runtime.block_on(self.process.watch_search(question, timeout, visit))
    }

    pub fn quit(self) {
        self.runtime.block_on(self.process.quit());
    }
}

/// Access to what the process reports and measures.
impl Deref for EngineSession {
    type Target = EngineProcess;

    fn deref(&self) -> &EngineProcess {
        &self.process
    }
}

impl DerefMut for EngineSession {
    fn deref_mut(&mut self) -> &mut EngineProcess {
        &mut self.process
    }
}

/// Starts a process, sets its options and begins a game, as a match does: many engines set up their board on `ucinewgame`.
/// `timeout` applies to each step, unless the engine has its own `start_timeout`.
pub async fn ready(
    engine: &EngineConfig,
    clock: ClockKind,
    timeout: Duration,
) -> Result<EngineProcess, EngineError> {
    let timeout = engine.start_timeout.unwrap_or(timeout);
    let mut process = EngineProcess::start(engine, clock)?;
    process.handshake(timeout).await?;
    for UciSetting { name, value } in &engine.options {
        process.set_option(name, value.as_deref(), timeout).await?;
    }
    process.is_ready(timeout).await?;
    process.new_game(timeout).await?;
    Ok(process)
}

pub fn introduce(engine: &EngineConfig) -> Result<EngineSession> {
    let session = start(engine)?;
    console::warn_of_remarks(&engine.name, session.introduction());
    Ok(session)
}

/// Starts and quits each engine once, so that one that does not start is found before the first has done any work.
pub fn introduce_all(engines: &[EngineConfig]) -> Result<()> {
    engines.iter().try_for_each(|engine| {
        introduce(engine)?.quit();
        Ok(())
    })
}

pub fn start(engine: &EngineConfig) -> Result<EngineSession> {
    if engine.limits.is_some() {
        bail!(
            "engine `{}`: limits after the name (tc, movetime, nodes, depth) work in matches only",
            engine.name
        );
    }
    let runtime = runner::process::new_runtime().context("cannot create an async runtime")?;
    let process = runtime.block_on(ready(engine, ClockKind::Wall, READY_TIMEOUT))?;
    Ok(EngineSession { process, engine: engine.clone(), variant: Variant::Standard, runtime })
}
