//! The CPU-time clock of a process: exact, and with the time of threads that have ended.

use std::time::Duration;

/// The CPU time of all threads of a process so far. `None` when it is gone, and where the system has no such clock.
///
/// `/proc/PID/stat` has the same in steps of a hundredth of a second, too coarse for a search of a tenth.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no library in use here wraps the CPU-time clock of another process")]
pub(super) fn cpu_time(process: u32) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both calls write to the variables they are given, which outlive them, and touch nothing else.
    let is_read = unsafe {
        libc::clock_getcpuclockid(process as libc::pid_t, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    is_read.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn cpu_time(_: u32) -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_threads_that_have_ended_is_in_it() {
        let own = std::process::id();
        let before = cpu_time(own).unwrap();
        let work =
            || (0..3_000_000_u64).fold(0, |sum: u64, i| std::hint::black_box(sum.wrapping_mul(31) + i % 7));
        std::thread::spawn(work).join().unwrap();
        assert!(cpu_time(own).unwrap() > before + Duration::from_millis(1));
    }

    #[test]
    fn a_process_that_has_ended_has_no_clock() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert_eq!(cpu_time(child.id()), None);
    }
}
