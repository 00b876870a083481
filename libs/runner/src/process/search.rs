//! The result of a search: the answer or the failure, and the evidence of what the engine did meanwhile.

use std::fs;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::ProcessEnd;
use super::batch_scheduling::PromptScheduling;
use super::cpu_snapshot::{CpuSnapshot, CpuUse, EngineUse, time_suspended};
use uci::{Info, UciMove};

/// An answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move. It has the form of a UCI move; the referee judges whether it is legal.
    pub best: UciMove,
    /// The move as it was written, if that differs: with its promotion in upper case.
    pub written: Option<String>,
    /// The reply that the engine expects.
    pub ponder: Option<UciMove>,
    /// The last state of the search that the engine reported.
    pub info: Option<Box<Info>>,
    /// The first move of a PV that came after `info`, in a line with a bound or without a score: after a fail high, a
    /// search that is broken off plays this move.
    pub later_move: Option<UciMove>,
    /// For each pattern of [`keep_lines`](crate::process::EngineProcess::keep_lines), the last line that matched it.
    pub lines: Vec<String>,
    /// How many `bestmove` lines were in the pipe before the question was sent; they were dropped.
    pub unasked: u32,
    /// How many lines of the search were not part of the protocol, and the first of them; they were ignored.
    pub unknown: Option<(u32, String)>,
    /// The time from the last byte of `go` to the line with `bestmove`.
    pub elapsed: Duration,
    /// The part of `elapsed` after the last line in which the engine reported its time; zero with CPU time.
    pub silence: Duration,
}

/// Why a search brought no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchFailure {
    /// The deadline passed without an answer.
    #[error("no bestmove after {} ms", elapsed.as_millis())]
    Timeout {
        /// How long the engine was waited for.
        elapsed: Duration,
    },
    /// The engine was told to stop pondering on a move that was not played, and did not stop.
    #[error("no bestmove within {} ms of `stop`", timeout.as_millis())]
    StopIgnored {
        /// How long the engine was waited for.
        timeout: Duration,
    },
    /// The engine ended.
    #[error("{0}")]
    Ended(ProcessEnd),
    /// The engine gave up the game.
    #[error("the engine answered `{line}`")]
    Resigned {
        /// The line as received.
        line: String,
    },
    /// The engine says that it has no move.
    #[error("the engine answered `{line}` instead of a move")]
    NoMove {
        /// The line as received.
        line: String,
        /// The time from the last byte of `go` to that line.
        elapsed: Duration,
    },
    /// The answer does not have the form of a move.
    #[error("the engine answered `{line}`, which is no move")]
    Unreadable {
        /// The line as received.
        line: String,
        /// The time from the last byte of `go` to that line.
        elapsed: Duration,
    },
}

impl SearchFailure {
    /// How long the engine thought, if that is known: an invalid answer may be late as well.
    pub const fn elapsed(&self) -> Option<Duration> {
        match self {
            SearchFailure::Timeout { elapsed }
            | SearchFailure::NoMove { elapsed, .. }
            | SearchFailure::Unreadable { elapsed, .. } => Some(*elapsed),
            SearchFailure::StopIgnored { .. } | SearchFailure::Ended(_) | SearchFailure::Resigned { .. } => {
                None
            }
        }
    }
}

/// If the first look is due sooner than this, it could itself be late by a tick of the scheduler, so the thread has the
/// normal policy from the beginning of such a search.
const SHORT_SEARCH: Duration = Duration::from_millis(5);

#[derive(Debug, Default)]
pub(super) struct SearchWatch {
    delay: Option<Duration>,
    began: Option<Instant>,
    /// When the first look is due.
    due: Option<Instant>,
    first: Option<CpuSnapshot>,
    /// Held from the first look to the end of the search, so that the answer is read as soon as it comes.
    prompt: Option<PromptScheduling>,
    suspended_before: Duration,
    by_processor_time: bool,
    /// When the next look is due, if the time is CPU time.
    tick: Option<Instant>,
    /// The total lateness of the looks.
    late: Duration,
}

impl SearchWatch {
    /// Asks for a first look at the next search when it has lasted for `delay`, and for regular looks from then on if its
    /// time is CPU time.
    pub(super) fn arm(&mut self, delay: Duration, by_processor_time: bool) {
        *self = SearchWatch {
            delay: Some(delay),
            suspended_before: time_suspended(),
            by_processor_time,
            ..SearchWatch::default()
        };
    }

    pub(super) fn begin(&mut self, at: Instant) {
        self.began = Some(at);
        self.prompt =
            self.delay.filter(|delay| *delay < SHORT_SEARCH).and_then(|_| PromptScheduling::begin());
        self.due = self.delay.take().map(|delay| at + delay);
        self.first = None;
    }

    pub(super) fn checkpoint(&self) -> Option<Instant> {
        self.due.filter(|_| self.first.is_none())
    }

    /// When to look at a search by CPU time.
    pub(super) fn next_look(&self) -> Option<Instant> {
        self.tick.or(self.due)
    }

    /// Takes the first look, or measures how late a further one is.
    pub(super) fn look(&mut self, engine: Option<u32>) {
        if self.prompt.is_none() {
            self.prompt = PromptScheduling::begin();
        }
        let now = Instant::now();
        self.late += self.lateness(now);
        self.tick = Some(now + TICK);
        if self.first.is_none() {
            self.first = Some(CpuSnapshot::take(engine));
        }
    }

    /// How late the next look is, beyond the usual slack of timers.
    fn lateness(&self, now: Instant) -> Duration {
        let late = self.next_look().map(|due| now.saturating_duration_since(due));
        late.unwrap_or_default().saturating_sub(TIMER_SLACK)
    }

    pub(super) fn end(&mut self) {
        self.prompt = None;
    }

    pub(super) fn evidence(&self, engine: Option<u32>) -> SearchEvidence {
        let now = CpuSnapshot::take(engine);
        let first = self.first.as_ref();
        let looked = first.map_or(now.at, |first| first.at);
        SearchEvidence {
            elapsed: self.began.map(|began| now.at.saturating_duration_since(began)).unwrap_or_default(),
            watched: first.map(|first| now.at.saturating_duration_since(first.at)),
            overdue: self.due.map(|due| looked.saturating_duration_since(due)).unwrap_or_default(),
            engine: now.engine_since(first),
            runner: now.own_since(first),
            stolen: now.stolen_since(first),
            suspended: time_suspended().saturating_sub(self.suspended_before),
            standstill: if self.by_processor_time {
                self.late + self.lateness(now.at)
            } else {
                Duration::ZERO
            },
        }
    }
}

/// The time between looks after the first, with CPU time.
const TICK: Duration = Duration::from_millis(5);

/// Timers are late by up to this even on an idle machine.
const TIMER_SLACK: Duration = Duration::from_millis(2);

/// What was measured during a search, or during another wait for an engine.
///
/// The system's counters are read for the first time when the search has lasted for the delay given to
/// [`watch_after`](crate::process::EngineProcess::watch_after), and again when the evidence is asked for. So most searches, which
/// end earlier, cost nothing, and if a search exceeds its time, the last and larger part of it is covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchEvidence {
    /// How long ago the search began.
    pub elapsed: Duration,
    /// How long ago the first look was taken. `None` if there was none; the counters then cover the time since the start
    /// of the engine and of the thread.
    pub watched: Option<Duration>,
    /// How late the first look was, or is now if there was none, although the engine was still searching: the thread did
    /// not run when it should have.
    pub overdue: Duration,
    /// The engine's use of the cores. `None` if it has ended or the system does not tell.
    pub engine: Option<EngineUse>,
    /// The use of the thread that reads the engine's answers.
    pub runner: Option<CpuUse>,
    /// The time that a hypervisor took since the first look from the core that lost most, in steps of a hundredth of a
    /// second.
    pub stolen: Duration,
    /// How long the machine was suspended since the search began.
    pub suspended: Duration,
    /// The total lateness of the looks, if the time is CPU time. A hypervisor that holds up a machine makes them late,
    /// and a thread that runs then seems to work on.
    pub standstill: Duration,
}

impl SearchEvidence {
    /// How long the runner's thread could not run although it should have: the lateness of the first look beyond the
    /// slack of timers, plus the wait for a core since then. An answer may have come that much earlier than it was read.
    pub fn runner_wait(&self) -> Duration {
        // Without a first look the counters begin long before the search.
        let since = self.watched.and(self.runner).map_or(Duration::ZERO, |runner| runner.waited);
        self.overdue.saturating_sub(TIMER_SLACK) + since
    }

    /// The measurements as lines of a protocol log, with the current load of the whole machine.
    pub fn remarks(&self) -> Vec<String> {
        let span = match self.watched {
            Some(watched) => format!("in the last {} of {}", Millis(watched), Millis(self.elapsed)),
            None => "since the start of the engine and of our thread (the search was not watched)".to_owned(),
        };
        let engine = self.engine.map_or_else(
            || "engine: nothing known".to_owned(),
            |EngineUse { state, threads, used, waited }| {
                let (used, waited) = (Millis(used), Millis(waited));
                format!("engine: {used} of CPU by {threads} threads, waited {waited} for a core, now in state {state}")
            },
        );
        let runner = self.runner.map_or_else(
            || "runner: nothing known".to_owned(),
            |CpuUse { used, waited }| {
                let (used, waited) = (Millis(used), Millis(waited));
                format!("runner: its thread used {used} of CPU and waited {waited} for a core")
            },
        );
        let mut lines = vec![
            format!("measured {span}"),
            engine,
            format!("{runner}; its timer was {} late", Millis(self.overdue)),
            format!("machine: suspended for {} during the search", Millis(self.suspended)),
            format!("machine: a hypervisor took {} from one core", Millis(self.stolen)),
        ];
        if !self.standstill.is_zero() {
            lines.push(format!("machine: may have stood still for {}", Millis(self.standstill)));
        }
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load: Vec<&str> = load.split_whitespace().take(4).collect();
        if !load.is_empty() {
            lines.push(format!("machine: load in 1, 5 and 15 minutes and tasks running: {}", load.join(" ")));
        }
        let pressure = fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
        lines.extend(pressure.lines().next().map(|line| format!("machine: waiting for cores: {line}")));
        lines
    }
}

/// Milliseconds with one decimal.
#[derive(derive_more::Display)]
#[display("{:.1} ms", _0.as_secs_f64() * 1e3)]
pub(crate) struct Millis(pub(crate) Duration);

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// The standstill seen for a search that began this long ago, with the first look due after 10 ms.
    fn seen(began: Duration, by_processor_time: bool, looks: usize) -> Duration {
        let mut watch = SearchWatch::default();
        watch.arm(MS(10), by_processor_time);
        let began = Instant::now().checked_sub(began).unwrap();
        watch.begin(began);
        for _ in 0..looks {
            watch.look(None);
        }
        watch.evidence(None).standstill
    }

    #[test]
    fn by_processor_time_a_late_look_shows_that_the_machine_may_have_stood_still() {
        for looks in [0, 1] {
            let standstill = seen(MS(500), true, looks);
            assert!(standstill >= MS(488), "{standstill:?} after {looks} looks");
        }
        assert!(seen(MS(0), true, 0) < MS(488));
        assert_eq!(seen(MS(500), false, 1), Duration::ZERO);
    }
}
