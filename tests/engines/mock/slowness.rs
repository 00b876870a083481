//! Ways to be late that differ in what the system sees of them.

use std::fs;
use std::process::id;
use std::time::Duration;

/// So much CPU time is burnt; by the time of day it may take much longer.
const BURNT: Duration = Duration::from_millis(400);

/// Uses up CPU time, however long that takes on a busy machine.
pub fn burn() {
    let mut number = 1_u64;
    while cpu_time() < BURNT {
        for _ in 0..100_000 {
            number = std::hint::black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
        }
    }
}

/// The CPU time of the only thread so far, from the kernel's statistics in nanoseconds.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Without such statistics there is nothing to test, and nothing is burnt.
    let used = text.split_whitespace().next().and_then(|field| field.parse().ok());
    used.map_or(BURNT, Duration::from_nanos)
}

/// Stops the whole process, as a debugger or a shell does, until somebody lets it go on.
pub fn stop() {
    let pid = rustix::process::Pid::from_raw(id() as i32);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::STOP);
    }
}
