//! Pondering: thinking on the opponent's time.
//!
//! Such a search ends in one of two ways. If the expected move is played, it goes on as the search for the answer
//! (`ponderhit`); otherwise it is stopped and its answer is dropped. Meanwhile its output
//! is read, so that a talkative engine is not blocked by a full pipe. Some engines answer before they are told to,
//! which the protocol forbids; such an answer is kept and counts at once if the expected move comes.

use std::time::{Duration, Instant};

use super::{EngineProcess, Silence};
use crate::process::{Answer, ProcessEnd, SearchFailure};
use crate::protocol::{Request, SearchTask};

/// The most lines that are read while an engine ponders. An engine that writes more has to wait: reading a flood of
/// lines would keep the thread from the opponent, whose clock is running.
const LINES_CAP: u32 = 10_000;

/// The state of a search on the opponent's time.
#[derive(Debug)]
pub(super) enum Pondering {
    /// The search continues, and this many lines were read.
    Searching(u32),
    /// The engine did not wait to be told; this is its answer.
    Answered(Vec<u8>),
    /// The engine ended meanwhile.
    Ended(ProcessEnd),
}

impl EngineProcess {
    /// Starts a search on the opponent's time without waiting for an answer.
    ///
    /// # Errors
    /// [`SearchFailure`] if the engine does not read.
    pub async fn start_pondering(
        &mut self,
        question: SearchTask<'_>,
        timeout: Duration,
    ) -> Result<(), SearchFailure> {
        self.digest.clear();
        self.matches.clear();
        let sent = self.request(Request::Search(question), Instant::now() + timeout).await;
        sent.map_err(|silence| silence.in_search(timeout))?;
        self.pondering = Some(Pondering::Searching(0));
        Ok(())
    }

    /// Whether a search on the opponent's time was begun and has not ended.
    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Reads what the engine says while it ponders. Returns only when nothing more is to be read, and may be cancelled
    /// at any time.
    pub async fn watch_pondering(&mut self) {
        while let Some(Pondering::Searching(lines)) = self.pondering
            && lines < LINES_CAP
        {
            let read = self.stdout.next().await;
            let state = match self.received(read, None).await {
                Ok(line) if self.hear(line.clone()) => Pondering::Answered(self.stdout.text(line).to_vec()),
                Ok(_) => Pondering::Searching(lines + 1),
                // Without a deadline the end of the process is the only reason.
                Err(Silence::Ended(end)) => Pondering::Ended(end),
                Err(Silence::Deadline) => Pondering::Searching(lines),
            };
            self.pondering = Some(state);
        }
    }

    /// Tells the engine that its opponent played the expected move, and waits for the answer. The time runs from the
    /// moment this is written.
    ///
    /// # Errors
    /// Any [`SearchFailure`] that [`search`](Self::search) returns.
    pub async fn ponder_hit(&mut self, timeout: Duration) -> Result<Answer, SearchFailure> {
        match self.pondering.take() {
            Some(Pondering::Answered(line)) => self.read_answer(&line, Duration::ZERO, 0),
            Some(Pondering::Ended(end)) => Err(SearchFailure::Ended(end)),
            Some(Pondering::Searching(_)) | None => {
                let begin = self.clock.now();
                let written = self.request(Request::PonderHit, begin.wall + timeout).await;
                written.map_err(|silence| silence.in_search(timeout))?;
                self.answer(begin, timeout, 0).await
            }
        }
    }

    /// Tells the engine to end a search that has become useless, and waits until it has. Its answer is dropped. An
    /// engine that does not obey is [still pondering](Self::is_pondering).
    ///
    /// # Errors
    /// [`SearchFailure::StopIgnored`] if no answer comes, [`SearchFailure::Ended`] if the engine ends.
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
                self.request(Request::Stop, deadline).await.map_err(failed)?;
                loop {
                    let line = self.watched_line(deadline).await.map_err(failed)?;
                    if self.hear(line) {
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
