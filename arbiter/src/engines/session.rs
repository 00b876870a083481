//! Engines started outside matches, for blocking callers, with the runtime of their process.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use runner::process::{EngineCommand, EngineError, EngineInfo, EngineProcess, HardwareCounts};
use runner::{EngineConfig, UciSetting};
use tokio::runtime::{Builder, Runtime};

use crate::cli::console;

const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// A started engine with its options set. Dropping it kills the process.
#[derive(Debug)]
pub struct EngineSession {
    process: EngineProcess,
    command: EngineCommand,
    options: Vec<UciSetting>,
    start_timeout: Duration,
    /// The last to be dropped: on Windows it waits for what is being read, which ends with the process.
    runtime: Runtime,
}

impl EngineSession {
    fn start(engine: &EngineConfig) -> Result<EngineSession> {
        let command = engine.command();
        let start_timeout = engine.start_timeout.unwrap_or(READY_TIMEOUT);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("cannot create an async runtime")?;
        let options = engine.options.clone();
        let process = runtime.block_on(ready(&command, &options, start_timeout))?;
        Ok(EngineSession { process, command, options, start_timeout, runtime })
    }

    /// Ends the process; call only [`restart`](Self::restart) after it.
    pub fn end(&mut self) {
        self.runtime.block_on(self.process.end());
    }

    /// Starts a new process in place of one that was ended, with the options of the first start.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process = self.runtime.block_on(ready(&self.command, &self.options, self.start_timeout))?;
        Ok(())
    }

    pub fn introduction(&self) -> &EngineInfo {
        self.process.introduction()
    }

    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.set_option(name, value, READY_TIMEOUT))
    }

    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.new_game(READY_TIMEOUT))
    }

    /// Sends one or more lines, and calls `visit` with each line of the answer until it breaks off. Returns the time this
    /// took.
    pub fn ask(
        &mut self,
        question: &str,
        timeout: Duration,
        visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Duration, EngineError> {
        self.runtime.block_on(self.process.ask(question, timeout, visit))
    }

    /// The CPU time of the engine so far, of all threads and processes; `None` where the system does not measure it.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.process.cpu_time()
    }

    /// The user time of the engine so far, in steps of 10 ms; `None` where the system does not measure it.
    pub fn user_time(&self) -> Option<Duration> {
        self.process.user_time()
    }

    /// Binds the engine to the last core available to us; several engines may share it. Returns whether that succeeded.
    pub fn bind_to_last_core(&self) -> bool {
        self.process.bind_to_last_core()
    }

    pub fn count_hardware_events(&mut self) {
        self.process.count_hardware_events();
    }

    pub fn hardware_counts(&mut self) -> Option<HardwareCounts> {
        self.process.hardware_counts()
    }

    /// The peak memory of the engine, in bytes; `None` where the system does not measure it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    pub fn quit(self) {
        self.runtime.block_on(self.process.quit());
    }
}

/// Starts a process and sets its options.
pub async fn ready(
    command: &EngineCommand,
    options: &[UciSetting],
    timeout: Duration,
) -> Result<EngineProcess, EngineError> {
    let mut process = EngineProcess::start(command)?;
    process.handshake(timeout).await?;
    for UciSetting { name, value } in options {
        process.set_option(name, value.as_deref(), timeout).await?;
    }
    process.is_ready(timeout).await?;
    Ok(process)
}

pub fn introduce(engine: &EngineConfig) -> Result<EngineSession> {
    let session = start(engine)?;
    console::warn_of_remarks(&engine.name, session.introduction());
    Ok(session)
}

/// Starts each engine once and ends it again, so that one that does not start shows before the first has worked.
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
    EngineSession::start(engine)
}
