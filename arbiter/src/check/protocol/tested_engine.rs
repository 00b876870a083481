//! The conversation with the engine under examination: it is started, asked, and started again when it broke.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::observations::Observations;
use super::search_record::SearchRecord;
use super::setup::Setup;
use runner::process::{EngineCommand, EngineError, EngineProcess, Introduction};

/// How long an engine may take to say `uciok`.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(10);

/// How long an engine may take to say `readyok`, or to answer when its search is over.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// After this time without an answer to `stop` the engine is given up.
const STOP_PATIENCE: Duration = Duration::from_secs(1);

/// Long enough for a command to be read and for what is wrongly said in answer to it.
const A_MOMENT: Duration = Duration::from_millis(50);

/// An engine that does not start so often in a row is not started again.
const START_ATTEMPTS: u32 = 3;

/// Asks the engine for the checks, and keeps what goes wrong in any search, whatever that was asked for.
#[derive(Debug)]
pub(super) struct Interview<'a> {
    runtime: Runtime,
    command: &'a EngineCommand,
    /// Name and value of each option that the user wants; a button has no value.
    options: &'a [(String, Option<String>)],
    process: Option<EngineProcess>,
    failed_starts: u32,
    pub(super) observations: Observations,
}

impl<'a> Interview<'a> {
    /// An interview in which nothing was said yet.
    ///
    /// # Errors
    /// The system has no more event queues.
    pub(super) fn new(
        command: &'a EngineCommand,
        options: &'a [(String, Option<String>)],
    ) -> io::Result<Interview<'a>> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let observations = Observations::default();
        Ok(Interview { runtime, command, options, process: None, failed_starts: 0, observations })
    }

    /// Starts a new process in place of the old one, without a word to it.
    pub(super) fn start(&mut self) -> Result<(), EngineError> {
        self.process = None;
        let _inside = self.runtime.enter();
        self.process = Some(EngineProcess::start(self.command)?);
        Ok(())
    }

    /// Sees to it that the engine is there, has its options, and waits for a command.
    pub(super) fn settle(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() && self.is_ready().is_ok() {
            return Ok(());
        }
        let started = self.start().and_then(|()| {
            let Some(process) = &mut self.process else { return Ok(()) };
            self.runtime.block_on(async {
                process.handshake(START_PATIENCE).await?;
                for (name, value) in self.options {
                    process.set_option(name, value.as_deref(), PATIENCE).await?;
                }
                process.is_ready(PATIENCE).await
            })
        });
        self.failed_starts = if started.is_ok() { 0 } else { self.failed_starts + 1 };
        started
    }

    /// Whether there is no point in starting the engine once more.
    pub(super) fn is_hopeless(&self) -> bool {
        self.failed_starts >= START_ATTEMPTS
    }

    /// Ends the process, so that the next check begins with a new one.
    pub(super) fn part(&mut self) {
        self.process = None;
    }

    /// What the engine said about itself last time.
    pub(super) fn introduction(&self) -> Introduction {
        self.process.as_ref().map(|process| process.introduction().clone()).unwrap_or_default()
    }

    /// The running process.
    pub(super) fn process(&self) -> Option<&EngineProcess> {
        self.process.as_ref()
    }

    /// Asks `isready` and returns how long the answer took. Moves that nobody asked for are noted.
    pub(super) fn is_ready(&mut self) -> Result<Duration, EngineError> {
        let mut stray = Vec::new();
        let answered = self.ask("isready\n", PATIENCE, |line| match line.trim() {
            "readyok" => ControlFlow::Break(()),
            line => {
                stray.extend(line.starts_with("bestmove").then(|| line.to_owned()));
                ControlFlow::Continue(())
            }
        });
        self.observations.stray_answers.append(&mut stray);
        answered
    }

    /// Sends lines and shows those that come back to `visit` until that breaks off.
    pub(super) fn ask(
        &mut self,
        lines: &str,
        patience: Duration,
        visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Duration, EngineError> {
        let Some(process) = &mut self.process else { return Ok(Duration::ZERO) };
        let answered = self.runtime.block_on(process.ask(lines, patience, visit));
        if matches!(answered, Err(EngineError::Ended { .. })) {
            self.process = None;
        }
        answered
    }

    /// Sends lines and returns the words at the beginning of the lines that come back in so long.
    pub(super) fn listen(&mut self, lines: &str, time: Duration) -> Result<Vec<String>, EngineError> {
        /// A flood is cut here.
        const LINES: usize = 10_000;
        let mut heard = Vec::new();
        let listened = self.ask(lines, time, |line| {
            heard.push(line.trim().to_owned());
            if heard.len() < LINES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match listened {
            Ok(_) | Err(EngineError::Silent { .. }) => Ok(heard),
            Err(error) => Err(error),
        }
    }

    /// Lets the engine search to the end of its own accord, in at most so long.
    pub(super) fn search(
        &mut self,
        setup: &Setup,
        go: &str,
        patience: Duration,
    ) -> Result<SearchRecord, EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        let answered = self.ask(&question, patience, |line| record.observe(line));
        self.conclude(setup, record, answered)
    }

    /// Lets the engine search for so long, and then sends a line, such as `stop`, that ends the search. Returns what
    /// was said, the answer included, and whether the answer came before that line.
    pub(super) fn search_until(
        &mut self,
        setup: &Setup,
        go: &str,
        time: Duration,
        (ending, patience): (&str, Duration),
    ) -> Result<(SearchRecord, bool), EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        match self.ask(&question, time, |line| record.observe(line)) {
            Err(EngineError::Silent { .. }) => {
                let ending = format!("{ending}\n");
                let answered = self.ask(&ending, patience, |line| record.observe(line));
                self.conclude(setup, record, answered).map(|record| (record, false))
            }
            early => {
                let record = self.conclude(setup, record, early)?;
                // It may still be sent, and has to be harmless.
                let _ = self.listen(&format!("{ending}\n"), A_MOMENT);
                Ok((record, true))
            }
        }
    }

    /// Judges what every search has in common. An engine that does not answer even to `stop` is killed.
    fn conclude(
        &mut self,
        setup: &Setup,
        mut record: SearchRecord,
        answered: Result<Duration, EngineError>,
    ) -> Result<SearchRecord, EngineError> {
        match answered {
            Ok(elapsed) => {
                record.elapsed = elapsed;
                self.observations.judge(setup, &record);
                Ok(record)
            }
            Err(error) => {
                if self.ask("stop\n", STOP_PATIENCE, |line| record.observe(line)).is_err() {
                    self.process = None;
                }
                Err(error)
            }
        }
    }

    /// Waits for the end of the process; `None` when it is still there after so long. It is killed then.
    pub(super) fn wait_for_end(&mut self, patience: Duration) -> Option<Duration> {
        let mut process = self.process.take()?;
        self.runtime.block_on(process.wait_for_end(patience))
    }

    /// Closes the input of the engine; `false` where that cannot be done.
    pub(super) fn close_input(&mut self) -> bool {
        #[cfg(unix)]
        {
            let _inside = self.runtime.enter();
            self.process.as_mut().is_some_and(|process| process.close_input().is_ok())
        }
        #[cfg(not(unix))]
        false
    }

    /// Does nothing for so long.
    pub(super) fn rest(&self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}
