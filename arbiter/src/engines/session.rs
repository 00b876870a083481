//! A conversation with one engine, for callers that wait: it owns the runtime that the process lives in.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use runner::process::{EngineCommand, EngineError, EngineProcess, HardwareCounts, Introduction};

/// How long an engine may take to say `uciok` or `readyok`.
const READY_PATIENCE: Duration = Duration::from_secs(10);

/// A started engine with its options set. Dropping it ends the process.
#[derive(Debug)]
pub struct EngineSession {
    runtime: Runtime,
    process: EngineProcess,
    /// How it was started, to do it again.
    command: EngineCommand,
    options: Vec<(String, Option<String>)>,
}

/// Why there is no conversation.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The engine did something wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system has no more event queues.
    #[error("cannot make a runtime: {0}")]
    Runtime(#[from] io::Error),
}

impl EngineSession {
    /// Starts an engine, shakes hands and sets options, each a name and a value (none for a button).
    ///
    /// # Errors
    /// The engine cannot be started, is silent, or does not have one of the options.
    pub fn start<'a>(
        command: &EngineCommand,
        options: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<EngineSession, SessionError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let options: Vec<(String, Option<String>)> =
            options.into_iter().map(|(name, value)| (name.to_owned(), value.map(str::to_owned))).collect();
        let process = runtime.block_on(ready(command, &options))?;
        Ok(EngineSession { runtime, process, command: command.clone(), options })
    }

    /// Ends the process; only [`restart`](Self::restart) makes sense now.
    pub fn end(&mut self) {
        self.runtime.block_on(self.process.end());
    }

    /// Starts another process in the same way, in place of one that was ended; options set since are forgotten.
    ///
    /// # Errors
    /// The engine does not get ready any more.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process = self.runtime.block_on(ready(&self.command, &self.options))?;
        Ok(())
    }

    /// What the engine said about itself.
    pub fn introduction(&self) -> &Introduction {
        self.process.introduction()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// The engine does not have it or does not take the value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.set_option(name, value, READY_PATIENCE))
    }

    /// Tells the engine that another game begins, and waits until it is ready.
    ///
    /// # Errors
    /// The engine is silent or gone.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.runtime.block_on(self.process.new_game(READY_PATIENCE))
    }

    /// Sends a question of one or more lines and shows each line of the answer to `visit` until that breaks off.
    /// Returns how long it took.
    ///
    /// # Errors
    /// The engine is gone, or `visit` was not satisfied in time.
    pub fn ask(
        &mut self,
        question: &str,
        patience: Duration,
        visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Duration, EngineError> {
        self.runtime.block_on(self.process.ask(question, patience, visit))
    }

    /// The CPU time of the engine so far, all threads and processes together; `None` where the system does not tell.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.process.cpu_time()
    }

    /// The part of the CPU time that the engine spent in its own code and not in the system, in steps of a hundredth of
    /// a second; `None` where the system does not tell.
    pub fn user_time(&self) -> Option<Duration> {
        self.process.user_time()
    }

    /// Binds the engine to the last core that we may use, where others may be bound, too. Returns whether the system
    /// let us.
    pub fn bind_to_last_core(&self) -> bool {
        self.process.bind_to_last_core()
    }

    /// Begins to count what the processor does for the engine, as far as the system lets us.
    pub fn count_hardware_events(&mut self) {
        self.process.count_hardware_events();
    }

    /// What the processor has done for the engine since it is counted; `None` where nothing is.
    pub fn hardware_counts(&mut self) -> Option<HardwareCounts> {
        self.process.hardware_counts()
    }

    /// The most memory that the engine has held, in bytes; `None` where the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    /// Asks the engine to quit and waits until it is gone.
    pub fn quit(self) {
        self.runtime.block_on(self.process.quit());
    }
}

/// Starts a process, shakes hands and sets options.
async fn ready(
    command: &EngineCommand,
    options: &[(String, Option<String>)],
) -> Result<EngineProcess, EngineError> {
    let mut process = EngineProcess::start(command)?;
    process.handshake(READY_PATIENCE).await?;
    for (name, value) in options {
        process.set_option(name, value.as_deref(), READY_PATIENCE).await?;
    }
    process.is_ready(READY_PATIENCE).await?;
    Ok(process)
}
