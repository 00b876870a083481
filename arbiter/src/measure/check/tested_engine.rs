//! The engine under test.

use std::io;
use std::time::Duration;

use tokio::runtime::Runtime;

use super::finding::{EngineObservations, SearchRecord};
use super::test_position::TestPosition;
use crate::engines::session;
use runner::EngineConfig;
use runner::process::{ClockKind, EngineError, EngineInfo, EngineProcess};

pub(super) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout for `readyok`, and for an answer at the end of a search.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout for an answer to `stop`; then the engine is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// The time for an engine to read a command, and perhaps to answer it when it should not.
const READ_TIME: Duration = Duration::from_millis(50);

const START_ATTEMPTS: u32 = 3;

#[derive(Debug)]
pub(super) struct TestedEngine {
    engine: EngineConfig,
    pub(super) process: Option<EngineProcess>,
    failed_starts: u32,
    pub(super) observations: EngineObservations,
    /// Must be dropped last: on Windows, dropping it waits for pending reads, which end with the process.
    runtime: Runtime,
}

impl TestedEngine {
    pub(super) fn new(engine: &EngineConfig) -> io::Result<TestedEngine> {
        Ok(TestedEngine {
            runtime: runner::process::new_runtime()?,
            engine: engine.clone(),
            process: None,
            failed_starts: 0,
            observations: EngineObservations::default(),
        })
    }

    pub(super) fn start(&mut self) -> Result<(), EngineError> {
        self.process = None;
        let _inside = self.runtime.enter();
        self.process = Some(EngineProcess::start(&self.engine, ClockKind::Wall)?);
        Ok(())
    }

    pub(super) fn ensure_ready(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() && self.is_ready().is_ok() {
            return Ok(());
        }
        self.process = None;
        let started = self.runtime.block_on(session::ready(&self.engine, ClockKind::Wall, START_TIMEOUT));
        self.failed_starts = if started.is_ok() { 0 } else { self.failed_starts + 1 };
        started.map(|process| self.process = Some(process))
    }

    pub(super) fn never_starts(&self) -> bool {
        self.failed_starts >= START_ATTEMPTS
    }

    pub(super) fn kill(&mut self) {
        self.process = None;
    }

    pub(super) fn introduction(&self) -> EngineInfo {
        self.process.as_ref().map(|process| process.introduction().clone()).unwrap_or_default()
    }

    /// Sets a check option to true. Returns `false` if the engine has no such option.
    pub(super) fn switch_on(&mut self, name: &str) -> Result<bool, EngineError> {
        let introduction = self.introduction();
        let Some(option) = introduction.option(name) else { return Ok(false) };
        self.begin_game(&format!("setoption name {} value true\n", option.name))?;
        Ok(true)
    }

    /// Sends lines that set options, and begins a game, as a match does. Returns the time to `readyok`.
    pub(super) fn begin_game(&mut self, options: &str) -> Result<Duration, EngineError> {
        self.lines_within(&format!("{options}ucinewgame\n"), Duration::ZERO)?;
        self.is_ready()
    }

    /// Sends `isready` and returns the time to `readyok`. Notes every `bestmove` in between.
    pub(super) fn is_ready(&mut self) -> Result<Duration, EngineError> {
        let mut stray = Vec::new();
        let answered = self.ask("isready\n", TIMEOUT, |line| {
            let line = line.trim();
            stray.extend(line.starts_with("bestmove").then(|| line.to_owned()));
            line == "readyok"
        });
        self.observations.unrequested_answers.append(&mut stray);
        answered
    }

    pub(super) fn ask(
        &mut self,
        lines: &str,
        timeout: Duration,
        is_last: impl FnMut(&str) -> bool,
    ) -> Result<Duration, EngineError> {
        let Some(process) = &mut self.process else { return Ok(Duration::ZERO) };
        let answered = self.runtime.block_on(process.ask(lines, timeout, is_last));
        if matches!(answered, Err(EngineError::Ended { .. })) {
            self.process = None;
        }
        answered
    }

    /// Sends lines and returns the lines that come back within `time`.
    pub(super) fn lines_within(&mut self, lines: &str, time: Duration) -> Result<Vec<String>, EngineError> {
        const LINES: usize = 10_000;
        let mut heard = Vec::new();
        let listened = self.ask(lines, time, |line| {
            heard.push(line.trim().to_owned());
            heard.len() >= LINES
        });
        match listened {
            Ok(_) | Err(EngineError::Silent { .. }) => Ok(heard),
            Err(error) => Err(error),
        }
    }

    pub(super) fn search(
        &mut self,
        setup: &TestPosition,
        go: &str,
        timeout: Duration,
    ) -> Result<SearchRecord, EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        let answered = self.ask(&question, timeout, |line| record.observe(line));
        self.conclude(setup, record, answered)
    }

    /// Lets the engine search for `time`, and then sends a line that ends the search, such as `stop`. Returns the search,
    /// and whether it ended before that line.
    pub(super) fn search_until(
        &mut self,
        setup: &TestPosition,
        go: &str,
        time: Duration,
        (ending, timeout): (&str, Duration),
    ) -> Result<(SearchRecord, bool), EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        match self.ask(&question, time, |line| record.observe(line)) {
            Err(EngineError::Silent { .. }) => {
                let ending = format!("{ending}\n");
                let answered = self.ask(&ending, timeout, |line| record.observe(line));
                self.conclude(setup, record, answered).map(|record| (record, false))
            }
            early => {
                let record = self.conclude(setup, record, early)?;
                // A late line must do no harm after the end of the search.
                let _ = self.lines_within(&format!("{ending}\n"), READ_TIME);
                Ok((record, true))
            }
        }
    }

    /// Adds a search to the observations. Kills an engine that does not answer `stop`.
    fn conclude(
        &mut self,
        setup: &TestPosition,
        mut record: SearchRecord,
        answered: Result<Duration, EngineError>,
    ) -> Result<SearchRecord, EngineError> {
        match answered {
            Ok(elapsed) => {
                record.elapsed = elapsed;
                self.observations.add(setup, &record);
                Ok(record)
            }
            Err(error) => {
                if self.ask("stop\n", STOP_TIMEOUT, |line| record.observe(line)).is_err() {
                    self.process = None;
                }
                Err(error)
            }
        }
    }

    /// Waits for the process to end. Kills it after `timeout` and returns `None`.
    pub(super) fn wait_for_end(&mut self, timeout: Duration) -> Option<Duration> {
        let mut process = self.process.take()?;
        self.runtime.block_on(process.wait_for_end(timeout))
    }

    pub(super) fn close_input(&mut self) {
        #[cfg(unix)]
        {
            let _inside = self.runtime.enter();
            let _ = self.process.as_mut().map(EngineProcess::close_input);
        }
    }

    pub(super) fn sleep(&self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}
