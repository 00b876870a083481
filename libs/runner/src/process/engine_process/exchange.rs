//! Lines to and from the engine, each within a deadline.

use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::time::{timeout, timeout_at};

use super::{EngineProcess, FAREWELL, MESSAGE_CAP, Silence};
use crate::config::ProtocolName;
use crate::process::protocol_log::Direction;
use crate::process::{EngineError, ProcessEnd};
use crate::protocol::{Expected, Protocol, Request, excerpt};

impl EngineProcess {
    /// Sends a question of one or more lines and shows each line of the answer to `is_last` until that holds. Returns how
    /// long it took.
    ///
    /// This is for exchanges outside the game, where every line matters; [`search`](Self::search) is for the game.
    ///
    /// # Errors
    /// [`EngineError::Silent`] if the last line does not come in time, [`EngineError::Ended`] if the engine ends,
    /// [`EngineError::Unable`] if it does not speak UCI.
    pub async fn ask(
        &mut self,
        question: &str,
        timeout: Duration,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<Duration, EngineError> {
        if self.introduction.protocol != ProtocolName::Uci {
            let obstacle = "it speaks xboard's protocol, and this needs UCI".to_owned();
            return Err(EngineError::Unable { engine: self.name.clone(), obstacle });
        }
        let asked = self.talk(question, timeout, |_, line| is_last(line)).await;
        asked.map_err(|silence| self.explain(silence, Expected::Answer("answer"), timeout))
    }

    pub(super) async fn talk(
        &mut self,
        question: &str,
        timeout: Duration,
        mut is_last: impl FnMut(&mut dyn Protocol, &str) -> bool,
    ) -> Result<Duration, Silence> {
        let begin = Instant::now();
        let deadline = begin + timeout;
        self.send(question.as_bytes(), deadline).await?;
        loop {
            let line = self.next_line(deadline).await?;
            let text = String::from_utf8_lossy(self.stdout.text(line));
            if is_last(&mut *self.protocol, &text) {
                return Ok(begin.elapsed());
            }
        }
    }

    /// Sends lines that have no answer.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if the engine does not read.
    pub async fn say(&mut self, lines: &str, timeout: Duration) -> Result<(), EngineError> {
        let sent = self.send(lines.as_bytes(), Instant::now() + timeout).await;
        sent.map_err(|silence| self.explain(silence, Expected::Answer("answer"), timeout))
    }

    pub(super) fn compose(&mut self, request: Request<'_>) -> String {
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        self.protocol.write(request, &mut lines);
        lines
    }

    pub(super) async fn request(&mut self, request: Request<'_>, deadline: Instant) -> Result<(), Silence> {
        let lines = self.compose(request);
        let sent = if lines.is_empty() { Ok(()) } else { self.send(lines.as_bytes(), deadline).await };
        self.lines = lines;
        sent
    }

    pub(super) async fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), Silence> {
        let written = timeout_at(deadline.into(), self.stdin.write_all(text)).await;
        self.log.add(Instant::now(), Direction::Sent, text);
        match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Silence::Ended(self.farewell().await)),
            Err(_) => Err(Silence::Deadline),
        }
    }

    pub(super) async fn next_line(&mut self, deadline: Instant) -> Result<Range<usize>, Silence> {
        match timeout_at(deadline.into(), self.stdout.next()).await {
            Ok(read) => self.received(read, Some(deadline)).await,
            Err(_) => match self.child.try_wait() {
                // The engine has ended, and one of its children still holds the pipe.
                Ok(Some(status)) => Err(Silence::Ended(ProcessEnd::Exited(status))),
                _ => Err(Silence::Deadline),
            },
        }
    }

    pub(super) async fn received(
        &mut self,
        read: io::Result<Option<Range<usize>>>,
        deadline: Option<Instant>,
    ) -> Result<Range<usize>, Silence> {
        let now = Instant::now();
        match read {
            Ok(Some(line)) => {
                self.log.add(now, Direction::Received, self.stdout.text(line.clone()));
                // A reader that always finds another line never looks at its timer.
                if deadline.is_some_and(|deadline| now > deadline) {
                    Err(Silence::Deadline)
                } else {
                    Ok(line)
                }
            }
            Ok(None) | Err(_) => Err(Silence::Ended(self.farewell().await)),
        }
    }

    async fn farewell(&mut self) -> ProcessEnd {
        match timeout(FAREWELL, self.child.wait()).await {
            Ok(Ok(status)) => {
                self.stderr.settle().await;
                ProcessEnd::Exited(status)
            }
            _ => ProcessEnd::Disconnected,
        }
    }

    pub(super) fn explain(&self, silence: Silence, expected: Expected, timeout: Duration) -> EngineError {
        let engine = self.name.clone();
        match silence {
            Silence::Deadline => EngineError::Silent { engine, expected, timeout },
            Silence::Ended(end) => {
                let complaint = self.stderr.text();
                let complaint =
                    complaint.lines().last().map(|line| format!("; it said: {}", excerpt(line, MESSAGE_CAP)));
                EngineError::Ended { engine, expected, end, complaint }
            }
        }
    }
}
