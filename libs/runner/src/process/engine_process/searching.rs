//! Searches of an engine: the question, the answer, and the measurements meanwhile.

use std::future::poll_fn;
use std::ops::Range;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::{EngineProcess, MESSAGE_CAP, Silence};
use crate::SearchLimits;
use crate::process::engine_clock::{ClockReading, CpuWait};
use crate::process::protocol_log::Direction;
use crate::process::{Answer, EngineError, SearchEvidence, SearchFailure};
use crate::protocol::{Expected, LineKind, Request, SearchTask, excerpt};
use uci::{BestMove, Info, Message, UciMove};

/// The most unexpected lines that are dropped before a search. An engine that has more to say is not reading, and the
/// deadline of the search will catch it.
const LEFTOVER_CAP: usize = 1000;

impl EngineProcess {
    /// Sends a question in one piece, and waits for the move.
    ///
    /// The time runs from the moment the question is written to the moment the answer is read. The deadline is counted
    /// from the same moment, whatever the engine says in between. It is the moment before the write, not after it: the
    /// write wakes the engine, which may take the core and think before this thread can read the clock.
    ///
    /// # Errors
    /// [`SearchFailure`] says why there is no move.
    pub async fn search(
        &mut self,
        question: SearchTask<'_>,
        timeout: Duration,
    ) -> Result<Answer, SearchFailure> {
        let unasked = self.drop_leftovers().await;
        if let Some(line) = self.protocol.resignation() {
            return Err(SearchFailure::Resigned { line: excerpt(line, MESSAGE_CAP) });
        }
        self.digest.clear();
        self.matches.clear();
        let lines = self.compose(Request::Search(question));
        let begin = self.clock.now();
        let written = self.send(lines.as_bytes(), begin.wall + timeout).await;
        self.lines = lines;
        written.map_err(|silence| silence.in_search(timeout))?;
        self.answer(begin, timeout, unasked).await
    }

    /// Searches outside a game, and shows each report to `visit`. Returns the time and the move, or the line that has none.
    ///
    /// # Errors
    /// [`EngineError::Silent`] if no answer comes in time, [`EngineError::Ended`] if the engine ends.
    pub async fn watch_search(
        &mut self,
        question: SearchTask<'_>,
        timeout: Duration,
        mut visit: impl FnMut(Info),
    ) -> Result<(Duration, Result<UciMove, String>), EngineError> {
        if let SearchTask::Of(_, go) | SearchTask::After(_, _, go) = question
            && let Some(refusal) = self.refuses(&SearchLimits::of(go))
        {
            return Err(refusal);
        }
        let mut found = Err(String::new());
        let lines = self.compose(Request::Search(question));
        let searched = self.talk(&lines, timeout, |protocol, line| {
            let kind = protocol.classify(line.trim().as_bytes()).0;
            found = match protocol.read(line) {
                Some(Message::BestMove(BestMove { best: Some(best), .. })) => Ok(best),
                Some(Message::Info(info)) => {
                    visit(*info);
                    return false;
                }
                _ => Err(line.trim().to_owned()),
            };
            kind == LineKind::Answer
        });
        let searched = searched.await;
        self.lines = lines;
        let time = searched.map_err(|silence| self.explain(silence, Expected::Answer("answer"), timeout))?;
        Ok((time, found))
    }

    pub(super) async fn answer(
        &mut self,
        begin: ClockReading,
        timeout: Duration,
        unasked: u32,
    ) -> Result<Answer, SearchFailure> {
        self.watch.begin(begin.wall);
        let answer = self.best_move(begin, timeout, unasked).await;
        self.watch.end();
        answer
    }

    async fn best_move(
        &mut self,
        begin: ClockReading,
        timeout: Duration,
        unasked: u32,
    ) -> Result<Answer, SearchFailure> {
        let deadline = begin.wall + timeout;
        let mut wait = CpuWait::new(&begin, timeout);
        loop {
            let line = if self.clock.is_wall() {
                self.watched_line(deadline).await
            } else {
                self.line_by_processor_time(&begin, &mut wait).await
            };
            let line = line.map_err(|silence| silence.in_search(self.clock.since(&begin)))?;
            if self.hear(line.clone()) {
                return self.read_answer(self.stdout.text(line), self.clock.since(&begin), unasked);
            }
        }
    }

    async fn line_by_processor_time(
        &mut self,
        begin: &ClockReading,
        wait: &mut CpuWait,
    ) -> Result<Range<usize>, Silence> {
        loop {
            let checkpoint = self.watch.next_look().filter(|checkpoint| *checkpoint < wait.next);
            if Instant::now() < wait.next
                && let Ok(read) = timeout_at(checkpoint.unwrap_or(wait.next).into(), self.stdout.next()).await
            {
                return self.received(read, None).await;
            }
            if checkpoint.is_some() {
                self.watch.look(self.group);
            } else if !wait.look(self.group, self.clock.since(begin)) {
                return Err(Silence::Deadline);
            }
        }
    }

    /// Sets how long after its beginning the next search is watched more closely; [`SearchEvidence`] describes what
    /// for.
    pub fn watch_after(&mut self, delay: Duration) {
        self.watch.arm(delay, !self.clock.is_wall());
    }

    /// What was measured during the last search, up to now.
    pub fn evidence(&self) -> SearchEvidence {
        self.watch.evidence(self.group)
    }

    /// Drops what the engine said since its last answer, so that it cannot be taken for an answer to the next question.
    /// Returns how many of these lines were moves. A move that is still on its way cannot be told from an answer, since
    /// the protocol does not number its questions.
    async fn drop_leftovers(&mut self) -> u32 {
        let mut moves = 0;
        for _ in 0..LEFTOVER_CAP {
            let read = {
                let mut next = pin!(self.stdout.next());
                poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await
            };
            let Poll::Ready(Ok(Some(line))) = read else { break };
            moves += u32::from(self.hear(line.clone()));
            self.log.add(Instant::now(), Direction::Received, self.stdout.text(line));
        }
        moves
    }

    /// Takes note of a line of a search, and returns whether it is the answer.
    pub(super) fn hear(&mut self, line: Range<usize>) -> bool {
        let text = self.stdout.text(line).trim_ascii();
        let kind = self.protocol.classify(text);
        if kind.0 != LineKind::Answer {
            self.matches.observe(text);
            self.digest.observe(text, kind, Instant::now());
        }
        kind.0 == LineKind::Answer
    }

    pub(super) fn read_answer(
        &self,
        text: &[u8],
        elapsed: Duration,
        unasked: u32,
    ) -> Result<Answer, SearchFailure> {
        let line = String::from_utf8_lossy(text.trim_ascii());
        let cited = |line: &str| excerpt(line, MESSAGE_CAP);
        let Some(Message::BestMove(answer)) = self.protocol.read(&line) else {
            return Err(SearchFailure::Unreadable { line: cited(&line), elapsed });
        };
        let Some(best) = answer.best else {
            return Err(match self.protocol.resignation() {
                Some(line) => SearchFailure::Resigned { line: cited(line) },
                None => SearchFailure::NoMove { line: cited(&line), elapsed },
            });
        };
        let is_other = |word: &&str| *word != best.as_str() && word.parse() == Ok(best);
        let word = line.split_ascii_whitespace().nth(1).filter(is_other);
        let (written, ponder) = (word.map(str::to_owned), answer.ponder);
        Ok(Answer { written, ponder, unasked, ..self.answer_with(best, elapsed) })
    }

    /// The answer to the last search, with a move that was read from the engine's line.
    pub(crate) fn answer_with(&self, best: UciMove, elapsed: Duration) -> Answer {
        let (info, later_move) = self.digest.info(&*self.protocol);
        let lines = self.matches.lines();
        let silence = self.digest.timed.filter(|_| self.clock.is_wall()).map(|timed| timed.elapsed());
        let silence = silence.unwrap_or_default();
        let unknown = self.digest.unknown().map(|(count, line)| (count, excerpt(&line, MESSAGE_CAP)));
        let (written, ponder, unasked) = (None, None, 0);
        Answer { best, written, ponder, info, later_move, lines, unasked, unknown, elapsed, silence }
    }

    /// The next line of a search, or of another wait that is watched; it is logged. The moment from which the wait is
    /// watched may pass meanwhile.
    pub(super) async fn watched_line(&mut self, deadline: Instant) -> Result<Range<usize>, Silence> {
        if let Some(checkpoint) = self.watch.checkpoint().filter(|checkpoint| *checkpoint < deadline) {
            match timeout_at(checkpoint.into(), self.stdout.next()).await {
                Ok(read) => return self.received(read, Some(deadline)).await,
                Err(_) => self.watch.look(self.group),
            }
        }
        self.next_line(deadline).await
    }
}
