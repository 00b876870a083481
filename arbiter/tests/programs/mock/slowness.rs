//! Ways to be late that differ in what the system sees of them.

use std::fs;
use std::time::Duration;

use crate::deeds::{pause, stop_oneself};

/// How many plies a slow engine plays well before it is slow.
const GOOD_PLIES: usize = 4;

/// So much CPU time is burnt; by the time of day it may take much longer.
const BURNT: Duration = Duration::from_millis(400);

/// For so long it stops the runner.
#[cfg(unix)]
const RUNNER_STOPPED: Duration = Duration::from_millis(3300);

/// When and how the engine is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slowness {
    /// Uses CPU time before it answers: `burns-time`.
    BurnsTime,
    /// Sleeps for 300 ms before it answers: `sleeps`.
    Sleeps,
    /// Is stopped by a signal when asked for a move: `is-stopped`.
    IsStopped,
    /// Is stopped by a signal when a game is to begin: `stops-before-game`.
    StopsBeforeGame,
    /// Thinks for 300 ms of the clock on the wall, which it asks the kernel for: `watches-wall`.
    WatchesWall,
    /// Stops the runner, whose child it is, for 3.3 seconds before its third move as White: `stops-runner`.
    StopsRunner,
}

impl Slowness {
    /// The mode of that name, if there is one.
    pub fn named(name: &str) -> Option<Slowness> {
        match name {
            "burns-time" => Some(Slowness::BurnsTime),
            "sleeps" => Some(Slowness::Sleeps),
            "is-stopped" => Some(Slowness::IsStopped),
            "stops-before-game" => Some(Slowness::StopsBeforeGame),
            "watches-wall" => Some(Slowness::WatchesWall),
            "stops-runner" => Some(Slowness::StopsRunner),
            _ => None,
        }
    }

    /// What a line brings about after so many plies.
    pub fn hear(self, line: &str, plies: usize) {
        let is_search = line.starts_with("go") && plies >= GOOD_PLIES;
        match self {
            Slowness::BurnsTime if is_search => burn(),
            Slowness::Sleeps if is_search => pause(Duration::from_millis(300)),
            Slowness::WatchesWall if line.starts_with("go") => watch_wall(),
            Slowness::IsStopped if is_search => stop_oneself(),
            Slowness::StopsBeforeGame if line == "ucinewgame" => stop_oneself(),
            Slowness::StopsRunner if is_search && plies == GOOD_PLIES => stop_runner(),
            _ => {}
        }
    }
}

/// Uses up CPU time, however long that takes on a busy machine.
fn burn() {
    let mut number = 1_u64;
    while cpu_time() < BURNT {
        for _ in 0..100_000 {
            number = std::hint::black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
        }
    }
}

/// Works until the time is over, whatever shows this process another time.
fn watch_wall() {
    #[cfg(target_os = "linux")]
    {
        let now = || {
            let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        };
        let end = now() + Duration::from_millis(300);
        while now() < end {}
    }
}

/// The CPU time of the only thread so far, from the kernel's statistics in nanoseconds.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Without such statistics there is nothing to test, and nothing is burnt.
    let used = text.split_whitespace().next().and_then(|field| field.parse().ok());
    used.map_or(BURNT, Duration::from_nanos)
}

/// Stops the process that started this one, and lets it go on.
fn stop_runner() {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getppid, kill_process};
        let signal = |signal| getppid().map(|runner| kill_process(runner, signal));
        let _ = signal(Signal::STOP);
        std::thread::sleep(RUNNER_STOPPED);
        let _ = signal(Signal::CONT);
    }
}
