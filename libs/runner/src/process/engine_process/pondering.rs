//! Thinking on the opponent's time.
//!
//! A search that was started with `go ponder` ends in one of two ways: the move that was expected is played, and
//! `ponderhit` turns it into the search for the answer; or another one is, and `stop` ends it for nothing. Meanwhile
//! its output is read, so that a talkative engine does not choke on a full pipe. Some engines answer before they are
//! told to, which the protocol forbids; such an answer is kept and counts at once when the expected move comes.

use std::time::{Duration, Instant};

use super::searching::is_best_move;
use super::{EngineProcess, Silence};
use crate::process::{Answer, ProcessEnd, SearchFailure};

/// The most lines that are read while an engine ponders. An engine that writes more has to wait: reading a flood
/// would keep our thread from the opponent, whose clock is running.
const LINES_CAP: u32 = 10_000;

/// How far a search on the opponent's time has come.
#[derive(Debug)]
pub(super) enum Pondering {
    /// It continues; this many lines were read.
    Searching(u32),
    /// The engine did not wait for `ponderhit` or `stop`; its line with `bestmove`.
    Answered(Vec<u8>),
    /// The engine went away meanwhile.
    Ended(ProcessEnd),
}

impl EngineProcess {
    /// Sends the lines of `position` and `go ponder` and does not wait.
    ///
    /// # Errors
    /// [`SearchFailure`] when the engine does not read.
    pub async fn start_pondering(
        &mut self,
        position_and_go: &str,
        timeout: Duration,
    ) -> Result<(), SearchFailure> {
        self.digest.clear();
        self.matches.clear();
        let sent = self.send(position_and_go.as_bytes(), Instant::now() + timeout).await;
        sent.map_err(|silence| silence.in_search(timeout))?;
        self.pondering = Some(Pondering::Searching(0));
        Ok(())
    }

    /// Whether a search on the opponent's time was begun and is not over.
    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Reads what the engine says while it ponders. Ends only when there is nothing more to read, and may be given up
    /// at any time.
    pub async fn watch_pondering(&mut self) {
        while let Some(Pondering::Searching(lines)) = self.pondering
            && lines < LINES_CAP
        {
            let read = self.stdout.next().await;
            let state = match self.received(read, None).await {
                Ok(line) if is_best_move(self.stdout.text(line.clone())) => {
                    Pondering::Answered(self.stdout.text(line).trim_ascii().to_vec())
                }
                Ok(line) => {
                    let text = self.stdout.text(line).trim_ascii();
                    self.matches.observe(text);
                    self.digest.observe(text, Instant::now());
                    Pondering::Searching(lines + 1)
                }
                // Without a deadline there is no other reason.
                Err(Silence::Ended(end)) => Pondering::Ended(end),
                Err(Silence::Deadline) => Pondering::Searching(lines),
            };
            self.pondering = Some(state);
        }
    }

    /// Tells the engine that its opponent played the expected move, and waits for the answer. The time runs from the
    /// moment `ponderhit` is written.
    ///
    /// # Errors
    /// [`SearchFailure`] as for [`search`](Self::search).
    pub async fn ponder_hit(&mut self, timeout: Duration) -> Result<Answer, SearchFailure> {
        match self.pondering.take() {
            Some(Pondering::Answered(line)) => self.read_answer(&line, Duration::ZERO, 0),
            Some(Pondering::Ended(end)) => Err(SearchFailure::Ended(end)),
            Some(Pondering::Searching(_)) | None => {
                let begin = self.clock.now();
                let written = self.send(b"ponderhit\n", begin.wall + timeout).await;
                written.map_err(|silence| silence.in_search(timeout))?;
                self.answer(begin, timeout, 0).await
            }
        }
    }

    /// Tells the engine to give up a search that has become useless, and waits until it has. Its answer is dropped. An
    /// engine that does not obey is [still pondering](Self::is_pondering).
    ///
    /// # Errors
    /// [`SearchFailure::StopIgnored`] when no answer comes, [`SearchFailure::Ended`] when the engine goes away.
    pub async fn stop_pondering(&mut self, timeout: Duration) -> Result<(), SearchFailure> {
        match &self.pondering {
            None => return Ok(()),
            Some(Pondering::Ended(end)) => return Err(SearchFailure::Ended(*end)),
            Some(Pondering::Searching(_)) => {
                let begin = Instant::now();
                let deadline = begin + timeout;
                self.watch.arm(timeout / 2, !self.clock.is_wall());
                self.watch.begin(begin);
                let failed = |silence| match silence {
                    Silence::Deadline => SearchFailure::StopIgnored { timeout },
                    Silence::Ended(end) => SearchFailure::Ended(end),
                };
                self.send(b"stop\n", deadline).await.map_err(failed)?;
                loop {
                    let line = self.watched_line(deadline).await.map_err(failed)?;
                    if is_best_move(self.stdout.text(line)) {
                        break;
                    }
                }
            }
            Some(Pondering::Answered(_)) => {}
        }
        self.pondering = None;
        Ok(())
    }
}
