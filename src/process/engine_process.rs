//! A running engine.

mod pondering;

use std::fmt::Write as _;
use std::future::poll_fn;
use std::io;
use std::ops::{ControlFlow, Range};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::{timeout, timeout_at};

use pondering::Pondering;

use super::excerpt::excerpt;
use super::info_digest::InfoDigest;
use super::introduction::IntroductionListener;
use super::line_reader::LineReader;
use super::protocol_log::{Direction, ProtocolLog};
use super::search_watch::SearchWatch;
use super::stderr_tail::StderrTail;
use super::warden::Mark;
use super::{
    Answer, EngineCommand, EngineError, Introduction, ProcessEnd, SearchEvidence, SearchFailure, Warden,
};
use crate::uci::{Command, Message};

/// How long a process may take to end after it closed its output or was told to quit.
const FAREWELL: Duration = Duration::from_millis(500);

/// So many letters of what an engine said are repeated in messages and records.
const MESSAGE_CAP: usize = 200;

/// So many lines that nobody asked for are thrown away before a question. An engine that has more to say is not reading,
/// and the deadline of the search will find it.
const LEFTOVER_CAP: usize = 1000;

/// An engine that was started. Dropping it kills it with its whole process group.
#[derive(Debug)]
pub struct EngineProcess {
    name: String,
    child: Child,
    /// The id of the process and of its group; kept because the child forgets it when it is reaped.
    group: Option<u32>,
    mark: Mark,
    stdin: ChildStdin,
    stdout: LineReader<ChildStdout>,
    stderr: StderrTail,
    log: ProtocolLog,
    digest: InfoDigest,
    introduction: Introduction,
    /// The search on the opponent's time, if there is one.
    pondering: Option<Pondering>,
    watch: SearchWatch,
}

/// Why a line did not come.
#[derive(Clone, Copy)]
enum Silence {
    Deadline,
    Ended(ProcessEnd),
}

impl Silence {
    /// What it means for a search that was waited for so long.
    fn in_search(self, elapsed: Duration) -> SearchFailure {
        match self {
            Silence::Deadline => SearchFailure::Timeout { elapsed },
            Silence::Ended(end) => SearchFailure::Ended(end),
        }
    }
}

/// Whether a line is the answer to `go`.
fn is_best_move(line: &[u8]) -> bool {
    let rest = line.trim_ascii().strip_prefix(b"bestmove");
    rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

impl EngineProcess {
    /// Starts the program. It has to happen inside a tokio runtime, on a thread that outlives the engine: on Linux the
    /// engine is killed when the thread that started it ends.
    ///
    /// # Errors
    /// [`EngineError::Start`] when the program cannot be run.
    pub fn start(command: &EngineCommand) -> Result<EngineProcess, EngineError> {
        let warden = Warden::of_this_process();
        let mark = warden.enlist();
        let failed = |source| {
            warden.dismiss(&mark, None);
            let (engine, program) = (command.name.clone(), command.program.clone());
            EngineError::Start { engine, program, source }
        };
        let mut child = command.spawn(&mark).map_err(failed)?;
        if let Some(group) = child.id() {
            warden.watch(group);
        }
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::Error::other("the process has no pipes")));
        };
        Ok(EngineProcess {
            name: command.name.clone(),
            group: child.id(),
            mark,
            child,
            stdin,
            stdout: LineReader::new(stdout),
            stderr: StderrTail::follow(stderr),
            log: ProtocolLog::new(),
            digest: InfoDigest::default(),
            introduction: Introduction::default(),
            pondering: None,
            watch: SearchWatch::default(),
        })
    }

    /// What the engine said about itself.
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// The process id, `None` on systems that do not tell.
    pub fn id(&self) -> Option<u32> {
        self.group
    }

    /// Sends `uci` and waits for `uciok`. A line that cannot be understood is skipped.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] when no `uciok` comes.
    pub async fn handshake(&mut self, patience: Duration) -> Result<(), EngineError> {
        let deadline = Instant::now() + patience;
        let mut listener = IntroductionListener::default();
        let talk = async {
            self.send(b"uci\n", deadline).await?;
            loop {
                let line = self.next_line(deadline).await?;
                if listener.hear(&String::from_utf8_lossy(self.stdout.text(line))).is_break() {
                    return Ok(());
                }
            }
        };
        let outcome = talk.await;
        self.introduction = listener.heard();
        outcome.map_err(|silence| self.explain(silence, "uciok", patience))
    }

    /// Sets an option that the engine announced.
    ///
    /// # Errors
    /// [`EngineError::Setting`] when there is no such option or it does not take the value; [`EngineError::Silent`] or
    /// [`EngineError::Ended`] when the engine does not read.
    pub async fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        patience: Duration,
    ) -> Result<(), EngineError> {
        let option = self
            .introduction
            .check_setting(name, value)
            .map_err(|source| EngineError::Setting { engine: self.name.clone(), source: Box::new(source) })?;
        let name = option.name.clone();
        self.send_option(name, value, patience).await
    }

    /// Sets an option whether the engine announced it or not: one that it does not have it ignores by the protocol, and
    /// one that it keeps to itself it takes.
    ///
    /// # Errors
    /// As [`set_option`](Self::set_option), but without regard to whether there is such an option.
    pub async fn try_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        patience: Duration,
    ) -> Result<(), EngineError> {
        if self.introduction.option(name).is_some() {
            return self.set_option(name, value, patience).await;
        }
        self.send_option(name.to_owned(), value, patience).await
    }

    async fn send_option(
        &mut self,
        name: String,
        value: Option<&str>,
        patience: Duration,
    ) -> Result<(), EngineError> {
        let command = Command::SetOption { name, value: value.map(str::to_owned) };
        let line = format!("{command}\n");
        let sent = self.send(line.as_bytes(), Instant::now() + patience).await;
        sent.map_err(|silence| self.explain(silence, "setoption", patience))
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] when it does not come.
    pub async fn is_ready(&mut self, patience: Duration) -> Result<(), EngineError> {
        self.ask_if_ready(b"isready\n", patience).await
    }

    /// Begins another game: `ucinewgame`, `isready`, and a fresh protocol log.
    ///
    /// # Errors
    /// As [`is_ready`](Self::is_ready).
    pub async fn new_game(&mut self, patience: Duration) -> Result<(), EngineError> {
        self.log.clear();
        self.ask_if_ready(b"ucinewgame\nisready\n", patience).await
    }

    async fn ask_if_ready(&mut self, question: &[u8], patience: Duration) -> Result<(), EngineError> {
        let begin = Instant::now();
        let deadline = begin + patience;
        self.watch_after(patience / 2);
        self.watch.begin(begin);
        let talk = async {
            self.send(question, deadline).await?;
            loop {
                let line = self.watched_line(deadline).await?;
                if self.stdout.text(line).trim_ascii() == b"readyok" {
                    return Ok(());
                }
            }
        };
        let outcome = talk.await;
        outcome.map_err(|silence| self.explain(silence, "readyok", patience))
    }

    /// Sends a question of one or more lines and shows each line of the answer to `visit` until that breaks off. Returns
    /// how long it took.
    ///
    /// For conversations beside the game, where every line matters; [`search`](Self::search) is for the game.
    ///
    /// # Errors
    /// [`EngineError::Silent`] when `visit` is not satisfied in time, [`EngineError::Ended`] when the engine goes away.
    pub async fn ask(
        &mut self,
        question: &str,
        patience: Duration,
        mut visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Duration, EngineError> {
        let begin = Instant::now();
        let deadline = begin + patience;
        let talk = async {
            self.send(question.as_bytes(), deadline).await?;
            loop {
                let line = self.next_line(deadline).await?;
                if visit(&String::from_utf8_lossy(self.stdout.text(line))).is_break() {
                    return Ok(begin.elapsed());
                }
            }
        };
        let outcome = talk.await;
        outcome.map_err(|silence| self.explain(silence, "an answer", patience))
    }

    /// Sends the lines of `position` and `go` in one piece and waits for `bestmove`.
    ///
    /// The time runs from the moment the last byte is written to the moment the answer is read. The deadline counts
    /// from the same moment, and nothing that the engine says in between puts it off.
    ///
    /// # Errors
    /// [`SearchFailure`] says why there is no move.
    pub async fn search(
        &mut self,
        position_and_go: &str,
        patience: Duration,
    ) -> Result<Answer, SearchFailure> {
        let unasked = self.drop_leftovers().await;
        self.digest.clear();
        let written = self.send(position_and_go.as_bytes(), Instant::now() + patience).await;
        let begin = Instant::now();
        written.map_err(|silence| silence.in_search(patience))?;
        self.answer(begin, patience, unasked).await
    }

    /// Waits for `bestmove` in a search that began at a moment, after so many moves that nobody had asked for.
    async fn answer(
        &mut self,
        begin: Instant,
        patience: Duration,
        unasked: u32,
    ) -> Result<Answer, SearchFailure> {
        let deadline = begin + patience;
        self.watch.begin(begin);
        loop {
            let line = self.watched_line(deadline).await;
            let line = line.map_err(|silence| silence.in_search(begin.elapsed()))?;
            let text = self.stdout.text(line).trim_ascii();
            if is_best_move(text) {
                return self.read_answer(text, begin.elapsed(), unasked);
            }
            if text.starts_with(b"info") {
                self.digest.observe(text);
            }
        }
    }

    /// From when on the next search is watched more closely, counted from its beginning; what it is good for is said at
    /// [`SearchEvidence`].
    pub fn watch_after(&mut self, delay: Duration) {
        self.watch.arm(delay);
    }

    /// What the system knows about the last search, up to now.
    pub fn evidence(&self) -> SearchEvidence {
        self.watch.evidence(self.group)
    }

    /// Throws away what the engine said since its last answer, so that it cannot be taken for an answer to the next
    /// question. Returns how many of these lines were moves. A move that is still on its way cannot be told from an
    /// answer, since the protocol does not number its questions.
    async fn drop_leftovers(&mut self) -> u32 {
        let mut moves = 0;
        for _ in 0..LEFTOVER_CAP {
            let read = {
                let mut next = pin!(self.stdout.next());
                poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await
            };
            let Poll::Ready(Ok(Some(line))) = read else { break };
            moves += u32::from(self.stdout.text(line.clone()).trim_ascii_start().starts_with(b"bestmove"));
            self.log.add(Instant::now(), Direction::Received, self.stdout.text(line));
        }
        moves
    }

    fn read_answer(&self, text: &[u8], elapsed: Duration, unasked: u32) -> Result<Answer, SearchFailure> {
        let line = String::from_utf8_lossy(text);
        let cited = |line: &str| excerpt(line, MESSAGE_CAP);
        let Ok(Message::BestMove(answer)) = line.parse() else {
            return Err(SearchFailure::Unreadable { line: cited(&line) });
        };
        let Some(best) = answer.best else { return Err(SearchFailure::NoMove { line: cited(&line) }) };
        let (info, later_move) = self.digest.info();
        Ok(Answer { best, ponder: answer.ponder, info, later_move, unasked, elapsed })
    }

    /// What was said in the current game, with the error output of the engine.
    pub fn protocol_log(&self) -> String {
        let mut text = self.log.render();
        if self.stdout.cut_lines() > 0 {
            let _ = writeln!(text, "# {} lines were too long and were cut", self.stdout.cut_lines());
        }
        let complaints = self.stderr.text();
        if !complaints.is_empty() {
            text += "# error output:\n";
            complaints.lines().for_each(|line| {
                let _ = writeln!(text, "# {line}");
            });
        }
        text
    }

    /// Puts a remark into the protocol log.
    pub fn note(&mut self, remark: &str) {
        self.log.add(Instant::now(), Direction::Note, remark.as_bytes());
    }

    /// What the engine wrote to its error output last.
    pub fn complaints(&self) -> String {
        self.stderr.text()
    }

    /// Closes the input of the engine, as a GUI that has crashed does.
    ///
    /// # Errors
    /// The system has no room for another pipe.
    #[cfg(unix)]
    pub fn close_input(&mut self) -> io::Result<()> {
        // A pipe that nobody reads takes its place, so that later writes fail as they should.
        let (_, writer) = io::pipe()?;
        self.stdin = ChildStdin::from_std(std::os::fd::OwnedFd::from(writer).into())?;
        Ok(())
    }

    /// Waits for the process to end by itself; `None` when it is still there after so long.
    pub async fn wait_for_end(&mut self, patience: Duration) -> Option<Duration> {
        let begin = Instant::now();
        let ended = timeout(patience, self.child.wait()).await;
        matches!(ended, Ok(Ok(_))).then(|| begin.elapsed())
    }

    /// Asks the engine to quit, gives it a moment, and then kills what is left of it.
    pub async fn quit(mut self) {
        if self.send(b"quit\n", Instant::now() + FAREWELL).await.is_ok() {
            let _ = timeout(FAREWELL, self.child.wait()).await;
        }
        self.kill_group();
        let _ = timeout(FAREWELL, self.child.wait()).await;
    }

    async fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), Silence> {
        let written = timeout_at(deadline.into(), self.stdin.write_all(text)).await;
        self.log.add(Instant::now(), Direction::Sent, text);
        match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Silence::Ended(self.farewell().await)),
            Err(_) => Err(Silence::Deadline),
        }
    }

    /// The next line of a search or of another wait that is watched, logged. The moment from which it is watched may pass
    /// meanwhile.
    async fn watched_line(&mut self, deadline: Instant) -> Result<Range<usize>, Silence> {
        if let Some(checkpoint) = self.watch.checkpoint().filter(|checkpoint| *checkpoint < deadline) {
            match timeout_at(checkpoint.into(), self.stdout.next()).await {
                Ok(read) => return self.received(read, Some(deadline)).await,
                Err(_) => self.watch.look(self.group),
            }
        }
        self.next_line(deadline).await
    }

    /// The next line, logged.
    async fn next_line(&mut self, deadline: Instant) -> Result<Range<usize>, Silence> {
        match timeout_at(deadline.into(), self.stdout.next()).await {
            Ok(read) => self.received(read, Some(deadline)).await,
            Err(_) => match self.child.try_wait() {
                // It is gone, and a child of its own still holds the pipe.
                Ok(Some(status)) => Err(Silence::Ended(ProcessEnd::Exited(status))),
                _ => Err(Silence::Deadline),
            },
        }
    }

    /// Logs what was read, and says whether it came in time.
    async fn received(
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

    /// Whether an engine that closed its pipes has ended.
    async fn farewell(&mut self) -> ProcessEnd {
        match timeout(FAREWELL, self.child.wait()).await {
            Ok(Ok(status)) => ProcessEnd::Exited(status),
            _ => ProcessEnd::Disconnected,
        }
    }

    fn explain(&self, silence: Silence, expected: &'static str, patience: Duration) -> EngineError {
        let engine = self.name.clone();
        match silence {
            Silence::Deadline => EngineError::Silent { engine, expected, patience },
            Silence::Ended(end) => {
                let complaint = self.stderr.text();
                let complaint =
                    complaint.lines().last().map(|line| format!("; it said: {}", excerpt(line, MESSAGE_CAP)));
                EngineError::Ended { engine, expected, end, complaint }
            }
        }
    }

    /// Kills the engine and everything it started, as far as that stayed in its process group.
    fn kill_group(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
            // The group may be gone already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill_group();
        Warden::of_this_process().dismiss(&self.mark, self.group);
    }
}
