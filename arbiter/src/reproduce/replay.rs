//! Plays a script: starts the engine, sends the lines, and judges the answers as in a game.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use referee::{Referee, Side};
use runner::process::{Answer, EngineError, EngineProcess, SearchFailure};
use runner::{PositionLine, ProtocolName, SearchTask, Termination};
use tokio::time::{sleep_until, timeout_at};
use uci::{Command, Go};

use super::script::{Head, Script, SentLine, Symptoms};
use crate::engines::{ErrorReport, locate};
use crate::results::ending;

/// The most lines of error output to keep.
const WORDS: usize = 40;

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The symptoms by which the same fault is recognized. An error report that ended nothing has no kind.
    pub what: Symptoms,
    pub detail: String,
    /// The last lines of its error output.
    pub words: Vec<String>,
    pub report: Option<Box<ErrorReport>>,
    /// Whether the machine or our own thread kept the engine from answering in time.
    pub excused: bool,
}

/// How lines are sent and faults judged.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Whether pauses are skipped.
    pub is_fast: bool,
    /// How many tries run at the same time.
    pub concurrency: usize,
    /// Whether an error report is a fault even if the engine continues.
    pub reports: bool,
}

impl Fault {
    fn new(kind: Termination, sign: impl Into<String>, detail: impl Into<String>) -> Fault {
        let sign = Some(sign.into()).filter(|sign| !sign.is_empty());
        let what = Symptoms { kind: Some(kind), sign, place: None };
        Fault { what, detail: detail.into(), words: Vec::new(), report: None, excused: false }
    }

    fn of_error(error: &EngineError) -> Fault {
        let sign = if let EngineError::Ended { end, .. } = error { end.to_string() } else { String::new() };
        Fault::new(Termination::of_error(error), sign, error.to_string())
    }

    /// Whether this is the fault that is looked for.
    pub fn is(&self, expected: &Symptoms) -> bool {
        let Symptoms { kind, sign, place } = expected;
        (kind.is_none() || *kind == self.what.kind)
            && (sign.is_none() || *sign == self.what.sign)
            && (place.is_none() || *place == self.what.place)
    }
}

/// The kind, sign and report, which equal faults share.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.what.kind.map_or_else(|| "error report".to_owned(), ending::label);
        let report = self.report.as_ref().map(ToString::to_string).unwrap_or_default();
        let parts = [kind, self.what.sign.clone().unwrap_or_default(), report];
        f.write_str(&parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(": "))?;
        f.write_str(if self.excused { " (the machine kept it waiting)" } else { "" })
    }
}

/// Plays a script up to `most` times. `visit` gets the fault and the duration of each try, until it breaks.
pub fn replay(
    script: &Script,
    most: u32,
    manner: Manner,
    visit: impl FnMut(Option<Fault>, Duration) -> ControlFlow<()> + Send,
) {
    let (next, visit) = (AtomicU32::new(0), Mutex::new(Some(visit)));
    let work = || {
        while next.fetch_add(1, Ordering::Relaxed) < most {
            let begin = Instant::now();
            let (found, time) = (play(script, manner), begin.elapsed());
            let Ok(mut visit) = visit.lock() else { return };
            if visit.as_mut().is_none_or(|visit| visit(found, time).is_break()) {
                *visit = None;
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..manner.concurrency.clamp(1, most.max(1) as usize) {
            scope.spawn(work);
        }
    });
}

/// Plays a script once. Afterwards the process and everything it started are gone.
fn play(script: &Script, manner: Manner) -> Option<Fault> {
    // The system lacks the resources for a runtime, and would lack them for a process.
    let runtime = runner::process::new_runtime().ok()?;
    runtime.block_on(async {
        let mut engine = match EngineProcess::start(&script.head.engine, script.head.clock) {
            Ok(engine) => engine,
            Err(error) => return Some(Fault::of_error(&error)),
        };
        let outcome = Talk::new(&mut engine, &script.head).hold(&script.lines, manner).await;
        if outcome.is_ok() {
            engine.end().await;
        }
        engine.hear_out().await;
        let complaints = engine.complaints();
        let report = ErrorReport::find(&complaints);
        let fault = outcome.err().or_else(|| {
            let report = report.as_ref().filter(|_| manner.reports)?;
            Some(Fault {
                what: Symptoms::default(),
                ..Fault::new(Termination::Crash, "", report.to_string())
            })
        })?;
        // After its summary, a sanitizer prints a memory map.
        let is_summary = |line: &&str| line.starts_with("SUMMARY: ");
        let mut words: Vec<&str> = complaints.lines().collect();
        words.truncate(words.iter().position(is_summary).map_or(words.len(), |summary| summary + 1));
        let words = words[words.len().saturating_sub(WORDS)..].iter().map(|word| (*word).to_owned());
        let place = report.as_ref().map(|report| report.place.clone());
        let what = Symptoms { place, ..fault.what };
        Some(Fault { what, words: words.collect(), report: report.map(Box::new), ..fault })
    })
}

/// The stack trace of a crash from gdb, if gdb is installed, starting at the signal.
pub fn stack(script: &Script) -> Vec<String> {
    let gdb = locate::on_search_path("gdb").filter(|_| cfg!(unix));
    let Some((gdb, runtime)) = gdb.zip(runner::process::new_runtime().ok()) else {
        return Vec::new();
    };
    let mut head = script.head.clone();
    let program = std::mem::replace(&mut head.engine.program, gdb).display().to_string();
    let words =
        ["-nx", "-q", "-batch", "-ex", "set startup-with-shell off", "-ex", "run", "-ex", "bt 30", "--args"];
    let own = std::mem::take(&mut head.engine.args);
    head.engine.args = words.map(str::to_owned).into_iter().chain([program]).chain(own).collect();
    let log = runtime.block_on(async {
        let mut engine = EngineProcess::start(&head.engine, head.clock).ok()?;
        let manner = Manner { is_fast: false, concurrency: 1, reports: false };
        // gdb prints the stack while we wait for the answer.
        let _ = Talk::new(&mut engine, &head).hold(&script.lines, manner).await;
        Some(engine.protocol_log())
    });
    let log = log.unwrap_or_default();
    let said = log.lines().filter_map(|line| Some(line.split_once(" < ")?.1.to_owned()));
    said.skip_while(|line| !line.contains("received signal")).take(WORDS).collect()
}

/// The state of the conversation with an engine.
struct Talk<'a> {
    engine: &'a mut EngineProcess,
    head: &'a Head,
    /// Lines held back until the next question, for a single write as in a game.
    pending: String,
    board: Option<Referee>,
    /// The position of an engine of another protocol.
    position: PositionLine,
    /// The time limit of the current search.
    limit: Option<Duration>,
}

impl<'a> Talk<'a> {
    fn new(engine: &'a mut EngineProcess, head: &'a Head) -> Talk<'a> {
        let (pending, position) = (String::new(), PositionLine::default());
        Talk { engine, head, pending, board: None, position, limit: None }
    }

    async fn hold(&mut self, lines: &[SentLine], manner: Manner) -> Result<(), Fault> {
        for line in lines {
            if !manner.is_fast && !line.gap.is_zero() {
                self.flush().await?;
                self.rest(line.gap).await;
            }
            self.send(line).await?;
        }
        self.flush().await
    }

    /// Sends the lines that need no answer.
    async fn flush(&mut self) -> Result<(), Fault> {
        let lines = std::mem::take(&mut self.pending);
        if lines.is_empty() {
            return Ok(());
        }
        let said = self.engine.say(&lines, self.head.timeouts.ready).await;
        said.map_err(|error| Fault::of_error(&error))
    }

    /// Waits, and reads what the engine says about a search in progress.
    async fn rest(&mut self, time: Duration) {
        let end = (Instant::now() + time).into();
        if self.engine.is_pondering() {
            let _ = timeout_at(end, self.engine.watch_pondering()).await;
        }
        sleep_until(end).await;
    }

    async fn send(&mut self, line: &SentLine) -> Result<(), Fault> {
        let ready = self.head.timeouts.ready;
        let word = line.word();
        if word == "uci" {
            self.flush().await?;
            let start = self.head.engine.start_timeout.unwrap_or(ready);
            return self.engine.handshake(start).await.map_err(|error| Fault::of_error(&error));
        }
        if self.head.engine.protocol == Some(ProtocolName::Xboard) {
            return self.tell(line, ready).await;
        }
        if self.engine.is_pondering() && matches!(word, "stop" | "position" | "go" | "isready") {
            // Other programs may omit `stop`; the next position or search then implies it.
            let stopped = self.engine.stop_pondering(ready).await;
            stopped.map_err(|failure| self.failed(&failure))?;
        }
        if word == "stop" {
            return Ok(());
        }
        if word == "ponderhit" {
            let timeout = self.begin_search();
            let found = self.engine.ponder_hit(timeout).await;
            return self.judge(found);
        }
        self.pending += &line.text;
        self.pending.push('\n');
        match word {
            "isready" => {
                let question = std::mem::take(&mut self.pending);
                let asked = self.engine.ask(&question, ready, |line| line.trim() == "readyok").await;
                asked.map(drop).map_err(|error| Fault::of_error(&error))
            }
            "position" => {
                self.board = line.position(self.head.variant);
                Ok(())
            }
            "go" => {
                let go = match line.text.parse() {
                    Ok(Command::Go(go)) => go,
                    _ => Go::default(),
                };
                self.limit = self.limit_of(&go);
                let order = std::mem::take(&mut self.pending);
                if line.is_open_search() {
                    let begun = self.engine.start_pondering(SearchTask::AsWritten(&order), ready).await;
                    return begun.map_err(|failure| self.failed(&failure));
                }
                let timeout = self.begin_search();
                let found = self.engine.search(SearchTask::AsWritten(&order), timeout).await;
                self.judge(found)
            }
            _ => Ok(()),
        }
    }

    /// Tells an engine of another protocol what a line of UCI means.
    async fn tell(&mut self, line: &SentLine, ready: Duration) -> Result<(), Fault> {
        let told = match line.text.parse() {
            Ok(Command::SetOption { name, value }) => {
                self.engine.try_option(&name, value.as_deref(), ready).await
            }
            Ok(Command::IsReady) => self.engine.is_ready(ready).await,
            Ok(Command::UciNewGame) => self.engine.new_game(ready).await,
            Ok(Command::Position { start, moves }) => {
                self.board = line.position(self.head.variant);
                self.position = PositionLine::new(start.fen(), self.head.variant);
                for played in &moves {
                    self.position.play(played.as_str());
                }
                Ok(())
            }
            Ok(Command::Go(go)) => {
                self.limit = self.limit_of(&go);
                let timeout = self.begin_search();
                let found = self.engine.search(SearchTask::Of(&self.position, &go), timeout).await;
                return self.judge(found);
            }
            _ => Ok(()),
        };
        told.map_err(|error| Fault::of_error(&error))
    }

    /// The time limit of a search by its `go`.
    fn limit_of(&self, go: &Go) -> Option<Duration> {
        let side = self.board.as_ref().map_or(Side::White, Referee::turn);
        let clock = if side == Side::White { go.wtime } else { go.btime };
        Some(clock.or(go.movetime)? + self.head.timemargin)
    }

    /// Starts watching the machine as in a game, and returns how long to wait for the answer.
    fn begin_search(&mut self) -> Duration {
        let timeouts = &self.head.timeouts;
        self.engine.watch_after(self.limit.unwrap_or(timeouts.stall) / 2);
        self.limit.map_or(timeouts.stall, |limit| limit + timeouts.late)
    }

    /// Checks first that the answer came in time, then that it is legal.
    fn judge(&self, found: Result<Answer, SearchFailure>) -> Result<(), Fault> {
        let elapsed = match &found {
            Ok(answer) => Some(answer.elapsed),
            Err(SearchFailure::NoMove { elapsed, .. } | SearchFailure::Unreadable { elapsed, .. }) => {
                Some(*elapsed)
            }
            Err(_) => None,
        };
        let late = elapsed.zip(self.limit).and_then(|(elapsed, limit)| elapsed.checked_sub(limit));
        if let Some(late) = late.filter(|late| !late.is_zero()) {
            let (cause, excused) = self.engine.evidence().cause(Some(late));
            let detail = format!("{:.1} ms too late; {cause}", late.as_secs_f64() * 1e3);
            return Err(Fault { excused, ..Fault::new(Termination::TimeLoss, "", detail) });
        }
        let answer = found.map_err(|failure| self.failed(&failure))?;
        let Some(mut board) = self.board.clone() else { return Ok(()) };
        match board.play(answer.best.as_str()) {
            Ok(_) => Ok(()),
            Err(illegal) => {
                Err(Fault::new(Termination::IllegalMove, answer.best.as_str(), illegal.to_string()))
            }
        }
    }

    fn failed(&self, failure: &SearchFailure) -> Fault {
        let sign = match failure {
            SearchFailure::Ended(end) => end.to_string(),
            SearchFailure::Unreadable { line, .. } => {
                line.split_whitespace().nth(1).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        };
        let fault = Fault::new(Termination::of_failure(failure), sign, failure.to_string());
        if fault.what.kind != Some(Termination::Stall) {
            return fault;
        }
        let (cause, excused) = self.engine.evidence().cause(None);
        Fault { excused, detail: format!("{}; {cause}", fault.detail), ..fault }
    }
}
