//! The time that an engine takes: wall-clock time, or its own CPU time.

use std::time::{Duration, Instant};

use cpu_clock::Way;

use super::cpu_snapshot::{CpuSnapshot, cpu_time, family_of};
use crate::config::ClockKind;
use crate::{EngineConfig, RunConfig};

impl RunConfig {
    /// Whether the games could be timed by CPU time and are not, as far as the programs show without being started.
    pub fn could_go_by_processor_time(&self) -> bool {
        let has_way = |engine: &EngineConfig| {
            engine.program.is_file() && !matches!(Way::of(&engine.program), Way::None(_))
        };
        cfg!(target_os = "linux")
            && self.clock == ClockKind::Wall
            && self.is_timed()
            && self.engines.iter().all(has_way)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct ClockReader {
    /// The number of threads that share the CPU time; `None` with wall-clock time.
    threads: Option<usize>,
    /// With CPU time, the processes of the engine: its own and all that it started.
    pub(super) processes: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ClockReading {
    pub(super) wall: Instant,
    /// The CPU time up to this moment, all threads and processes together.
    used: Option<Duration>,
}

impl ClockReader {
    pub(super) fn new(clock: ClockKind, engine: &EngineConfig) -> ClockReader {
        let threads = (clock == ClockKind::Cpu).then(|| engine.threads());
        ClockReader { threads, processes: Vec::new() }
    }

    pub(super) const fn is_wall(&self) -> bool {
        self.threads.is_none()
    }

    pub(super) fn find_processes(&mut self, engine: Option<u32>) {
        if !self.is_wall() {
            self.processes = engine.map(family_of).unwrap_or_default();
        }
    }

    pub(super) fn now(&self) -> ClockReading {
        let wall = Instant::now();
        let used = (!self.is_wall()).then(|| self.processes.iter().filter_map(|id| cpu_time(*id)).sum());
        ClockReading { wall, used }
    }

    pub(super) fn since(&self, begin: &ClockReading) -> Duration {
        let now = self.now();
        match (self.threads, begin.used, now.used) {
            (Some(threads), Some(before), Some(used)) => used.saturating_sub(before) / threads.max(1) as u32,
            _ => now.wall.saturating_duration_since(begin.wall),
        }
    }
}

/// The wait for an answer by CPU time. The first look is at the earliest moment at which the answer could be overdue, if
/// the engine works without a break; more looks follow while there is CPU time left.
///
/// An engine that sleeps would never use its time, so the wait ends when it was idle for as long as it might have worked.
/// The time between two looks is idle if working and waiting for a core took less than a twentieth of it.
#[derive(Debug)]
pub(super) struct CpuWait {
    timeout: Duration,
    pub(super) next: Instant,
    last: Option<CpuSnapshot>,
    idle: Duration,
}

/// The shortest time between two looks.
const SHORTEST_WAIT: Duration = Duration::from_millis(5);

/// An engine that used less than this fraction (1 in 20) of the time was idle.
const IDLE_SHARE: u32 = 20;

impl CpuWait {
    pub(super) fn new(begin: &ClockReading, timeout: Duration) -> CpuWait {
        CpuWait { timeout, next: begin.wall + timeout, last: None, idle: Duration::ZERO }
    }

    /// Looks at an engine that has worked for `used` since the question. Returns whether the wait goes on.
    pub(super) fn look(&mut self, engine: Option<u32>, used: Duration) -> bool {
        let Some(left) = self.timeout.checked_sub(used).filter(|left| !left.is_zero()) else { return false };
        let now = CpuSnapshot::take(engine);
        if let Some(last) = &self.last {
            let passed = now.at.saturating_duration_since(last.at);
            let active = now.engine_since(Some(last)).map_or(Duration::ZERO, |cpu| cpu.used + cpu.waited);
            if active < passed / IDLE_SHARE {
                self.idle += passed;
            }
        }
        self.next = now.at + left.max(SHORTEST_WAIT);
        self.last = Some(now);
        self.idle < self.timeout
    }
}
