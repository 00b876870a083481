//! What the system knows about a search that took long: who had the cores meanwhile.

use std::fmt;
use std::fs;
use std::time::Duration;

/// Our timers are late by up to this on an idle machine, too.
const TIMER_SLACK: Duration = Duration::from_millis(2);

/// The use that a thread made of the cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// How long it ran.
    pub used: Duration,
    /// How long it could have run but had to wait for a core.
    pub waited: Duration,
}

impl CpuUse {
    /// The use since an earlier look at the same thread, or since it began.
    pub(super) fn since(self, earlier: Option<CpuUse>) -> CpuUse {
        let earlier = earlier.unwrap_or_default();
        CpuUse {
            used: self.used.saturating_sub(earlier.used),
            waited: self.waited.saturating_sub(earlier.waited),
        }
    }
}

/// What an engine did, all its threads and processes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineUse {
    /// What its first process is doing now, as proc(5) abbreviates it: `R` running, `S` sleeping, `T` stopped.
    pub state: char,
    /// How many threads it has.
    pub threads: usize,
    /// The CPU time of all threads together.
    pub used: Duration,
    /// The longest that one of its threads had to wait for a core.
    pub waited: Duration,
}

/// What was measured during a search, or during another wait for an engine.
///
/// The counters of the system are read a first time when the search has lasted for the delay given to
/// [`watch_after`](super::EngineProcess::watch_after), and a second time when the evidence is asked for. So the usual
/// search, which ends before, costs nothing, and of one that oversteps its time the last and larger part is covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchEvidence {
    /// How long ago the search began.
    pub elapsed: Duration,
    /// How long ago the first look was taken. `None` when there was none; the counters are then those since the start
    /// of the engine and of our thread.
    pub watched: Option<Duration>,
    /// By how much the first look was too late, or is now when there was none, although the engine was still searching:
    /// our thread did not run when it should have.
    pub overdue: Duration,
    /// The engine. `None` when it has ended or the system does not tell.
    pub engine: Option<EngineUse>,
    /// The thread that reads the engine's answers.
    pub runner: Option<CpuUse>,
    /// What a hypervisor took since the first look from the core that it took most from, in steps of a hundredth of a
    /// second.
    pub stolen: Duration,
    /// How long the machine was suspended since the search began.
    pub suspended: Duration,
}

impl SearchEvidence {
    /// For how long our own thread could not run although it should have: by how much the first look was late beyond what
    /// timers are, and what it waited for a core since then. An answer may have come that much earlier than it was read.
    pub fn runner_wait(&self) -> Duration {
        // Without a first look the counters begin long before the search.
        let since = self.watched.and(self.runner).map_or(Duration::ZERO, |runner| runner.waited);
        self.overdue.saturating_sub(TIMER_SLACK) + since
    }

    /// The measurements as lines of a protocol log, with the load of the whole machine at this moment.
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
struct Millis(Duration);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ms", self.0.as_secs_f64() * 1e3)
    }
}
