//! A conversation with one engine, for callers that wait: it owns the runtime that the process lives in.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use crate::process::{EngineCommand, EngineError, EngineProcess, Introduction};

/// How long an engine may take to say `uciok` or `readyok`.
const READY_PATIENCE: Duration = Duration::from_secs(10);

/// A started engine with its options set. Dropping it ends the process.
#[derive(Debug)]
pub struct EngineSession {
    runtime: Runtime,
    process: EngineProcess,
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
        let process = runtime.block_on(async {
            let mut process = EngineProcess::start(command)?;
            process.handshake(READY_PATIENCE).await?;
            for (name, value) in options {
                process.set_option(name, value, READY_PATIENCE).await?;
            }
            process.is_ready(READY_PATIENCE).await?;
            Ok::<_, EngineError>(process)
        })?;
        Ok(EngineSession { runtime, process })
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

    /// The most memory that the engine has held, in bytes; `None` where the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    /// Asks the engine to quit and waits until it is gone.
    pub fn quit(self) {
        self.runtime.block_on(self.process.quit());
    }
}
