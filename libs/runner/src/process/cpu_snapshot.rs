//! The system's counters for an engine and for the runner's thread, at one moment.
//!
//! They are read from Linux's `/proc`: the CPU time of a process from `stat` (proc(5)), and from `schedstat` how long each
//! thread ran and how long it was ready but had to wait for a core (Documentation/scheduler/sched-stats of the kernel). If
//! there is no such file, nothing is known, which is not an error. A snapshot costs some ten system calls, so it is taken
//! only in the rare search that takes long.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// The most processes of an engine that are looked at.
const PROCESSES_CAP: usize = 1024;

#[derive(Clone, Debug)]
pub(super) struct CpuSnapshot {
    pub(super) at: Instant,
    engine: Option<EngineCounters>,
    /// The calling thread.
    own: Option<CpuUse>,
    /// How long a hypervisor took each core since the machine was started.
    stolen: Vec<Duration>,
}

/// How long a thread used a core and waited for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// How long the thread ran.
    pub used: Duration,
    /// How long the thread was ready to run but had to wait for a core.
    pub waited: Duration,
}

impl CpuUse {
    /// The use since an earlier snapshot of the same thread, or since it began.
    pub(super) fn since(self, earlier: Option<CpuUse>) -> CpuUse {
        let earlier = earlier.unwrap_or_default();
        CpuUse {
            used: self.used.saturating_sub(earlier.used),
            waited: self.waited.saturating_sub(earlier.waited),
        }
    }
}

/// What an engine did: all its threads and processes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineUse {
    /// The state of its first process as a letter (proc(5)): `R` running, `S` sleeping, `T` stopped.
    pub state: char,
    /// The number of threads.
    pub threads: usize,
    /// The CPU time of all threads together.
    pub used: Duration,
    /// The longest time that one of its threads had to wait for a core.
    pub waited: Duration,
}

#[derive(Clone, Debug, Default)]
struct EngineCounters {
    /// The state of the first process as a letter (proc(5)): `R` running, `S` sleeping, `T` stopped.
    state: char,
    /// The CPU time of all threads, including those that have ended.
    total: Duration,
    /// The counters of each thread, by its id.
    threads: BTreeMap<u32, ThreadCounters>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ThreadCounters {
    cpu: CpuUse,
    /// How often it was given a core. A wait for a core is added to `cpu` only when it is over.
    runs: u64,
    /// Whether it is running or waiting for a core.
    is_ready: bool,
}

impl ThreadCounters {
    fn read(process: u32, thread: u32) -> Option<ThreadCounters> {
        let folder = format!("/proc/{process}/task/{thread}");
        let (cpu, runs) = read_schedstat(&format!("{folder}/schedstat"))?;
        let state = fs::read_to_string(format!("{folder}/stat")).ok().and_then(|text| parse_stat(&text));
        Some(ThreadCounters { cpu, runs, is_ready: state.is_some_and(|(state, _)| state == 'R') })
    }

    /// The use since an earlier snapshot, `passed` ago. A wait in progress counts only if the thread was ready
    /// then and has not run since; then it has lasted the whole time.
    fn since(self, earlier: Option<ThreadCounters>, passed: Duration) -> CpuUse {
        let mut cpu = self.cpu.since(earlier.map(|earlier| earlier.cpu));
        if earlier.is_some_and(|earlier| earlier.is_ready && self.is_ready && earlier.runs == self.runs) {
            cpu.waited = cpu.waited.max(passed.saturating_sub(cpu.used));
        }
        cpu
    }
}

impl CpuSnapshot {
    pub(super) fn take(engine: Option<u32>) -> CpuSnapshot {
        CpuSnapshot {
            at: Instant::now(),
            engine: engine.and_then(EngineCounters::read),
            own: read_schedstat("/proc/thread-self/schedstat").map(|(cpu, _)| cpu),
            stolen: parse_stolen(&fs::read_to_string("/proc/stat").unwrap_or_default()),
        }
    }

    /// The time that a hypervisor took since an earlier snapshot from the core that lost most, since it is not known which
    /// core the engine was on. Zero without an earlier snapshot.
    pub(super) fn stolen_since(&self, earlier: Option<&CpuSnapshot>) -> Duration {
        let before = earlier.map_or(&[][..], |earlier| &earlier.stolen);
        let taken = self.stolen.iter().zip(before).map(|(now, before)| now.saturating_sub(*before));
        taken.max().unwrap_or_default()
    }

    /// What the engine did since an earlier snapshot, or since it was started.
    pub(super) fn engine_since(&self, earlier: Option<&CpuSnapshot>) -> Option<EngineUse> {
        let now = self.engine.as_ref()?;
        let none = EngineCounters::default();
        let before = earlier.map_or(Some(&none), |earlier| earlier.engine.as_ref())?;
        let passed = earlier.map_or(Duration::ZERO, |earlier| self.at.saturating_duration_since(earlier.at));
        let threads = now.threads.iter().map(|(id, now)| now.since(before.threads.get(id).copied(), passed));
        let threads: Vec<CpuUse> = threads.collect();
        let used: Duration = threads.iter().map(|cpu| cpu.used).sum();
        Some(EngineUse {
            state: now.state,
            threads: threads.len(),
            // The sum is exact but lacks the threads that have ended.
            used: used.max(now.total.saturating_sub(before.total)),
            waited: threads.iter().map(|cpu| cpu.waited).max().unwrap_or_default(),
        })
    }

    /// The use of the calling thread since an earlier snapshot, or since it began.
    pub(super) fn own_since(&self, earlier: Option<&CpuSnapshot>) -> Option<CpuUse> {
        Some(self.own?.since(earlier.and_then(|earlier| earlier.own)))
    }
}

impl EngineCounters {
    fn read(engine: u32) -> Option<EngineCounters> {
        let (state, _) = read_stat(engine)?;
        let mut counters = EngineCounters { state, ..EngineCounters::default() };
        for process in family_of(engine) {
            let Some((_, total)) = read_stat(process) else { continue };
            counters.total += cpu_time(process).unwrap_or(total);
            for thread in threads_of(process) {
                counters.threads.extend(ThreadCounters::read(process, thread).map(|now| (thread, now)));
            }
        }
        Some(counters)
    }
}

/// The CPU time so far of this process and of everything that it started, ended or not. `None` if the system does not
/// provide it.
pub fn cpu_time_with_children() -> Option<Duration> {
    let living: Option<Duration> = family_of(std::process::id())
        .into_iter()
        .map(|process| cpu_time(process).or(Some(Duration::ZERO)))
        .sum();
    // The CPU time of children that have ended and were waited for.
    let ended = times(&fs::read_to_string("/proc/self/stat").ok()?, 16, 2)?;
    Some(living? + ended)
}

/// The threads of a process and its living descendants.
pub(super) fn all_threads_of(process: u32) -> Vec<u32> {
    family_of(process).into_iter().flat_map(threads_of).collect()
}

/// A process and its living descendants.
pub(super) fn family_of(process: u32) -> Vec<u32> {
    let mut processes = vec![process];
    let mut next = 0;
    while let Some(&process) = processes.get(next) {
        next += 1;
        for thread in threads_of(process) {
            let children =
                fs::read_to_string(format!("/proc/{process}/task/{thread}/children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|id| id.parse::<u32>().ok());
            processes.extend(children.take(PROCESSES_CAP.saturating_sub(processes.len())));
        }
    }
    processes
}

/// The threads of a process; empty if it has ended.
pub(super) fn threads_of(process: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The state of a process and its CPU time. Windows shows only the CPU time, so waits are unknown there.
fn read_stat(process: u32) -> Option<(char, Duration)> {
    if cfg!(windows) {
        return Some(('R', cpu_time(process)?));
    }
    parse_stat(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// The user-mode CPU time of a process and its living descendants, in steps of a clock tick.
pub(super) fn user_time(process: u32) -> Option<Duration> {
    let of = |process| times(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?, 14, 1);
    of(process)
        .map(|own| family_of(process).into_iter().skip(1).filter_map(of).fold(own, |sum, time| sum + time))
}

/// The state of a process and its CPU time, from its `stat`.
fn parse_stat(text: &str) -> Option<(char, Duration)> {
    let state = text.rsplit_once(')')?.1.trim_start().chars().next()?;
    Some((state, times(text, 14, 2)?))
}

/// The sum of `count` times in `stat`, from field number `first` on, as proc(5) counts them. The name before the third
/// field is in parentheses and may itself contain blanks and parentheses.
fn times(text: &str, first: usize, count: usize) -> Option<Duration> {
    let fields = text.rsplit_once(')')?.1.split_whitespace().skip(first - 3).take(count);
    let ticks: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
    (ticks.len() == count).then(|| time_of_ticks(ticks.iter().sum()))
}

pub(crate) fn time_of_ticks(ticks: u64) -> Duration {
    Duration::from_secs_f64(ticks as f64 / ticks_per_second())
}

/// The number of the system's clock ticks in a second.
#[cfg(target_os = "linux")]
fn ticks_per_second() -> f64 {
    rustix::param::clock_ticks_per_second() as f64
}

/// The number of the system's clock ticks in a second.
#[cfg(not(target_os = "linux"))]
fn ticks_per_second() -> f64 {
    100.0
}

/// The stolen time: the eighth number in the line of each core, `cpu0` and so on (proc(5)).
fn parse_stolen(stat: &str) -> Vec<Duration> {
    let cores = stat.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu "));
    let ticks =
        cores.map(|core| core.split_whitespace().nth(8).and_then(|number| number.parse::<u64>().ok()));
    ticks.map(|ticks| time_of_ticks(ticks.unwrap_or(0))).collect()
}

fn read_schedstat(path: &str) -> Option<(CpuUse, u64)> {
    parse_schedstat(&fs::read_to_string(path).ok()?)
}

/// The nanoseconds on a core, the nanoseconds of waiting for one, and how often the thread was given a core.
fn parse_schedstat(text: &str) -> Option<(CpuUse, u64)> {
    let mut fields = text.split_whitespace().map_while(|field| field.parse().ok());
    let mut time = || fields.next().map(Duration::from_nanos);
    let cpu = CpuUse { used: time()?, waited: time()? };
    Some((cpu, fields.next()?))
}

/// How long the machine has been suspended since it was started; zero if the system does not tell. It reads a clock three
/// times, without a system call, so it is cheap enough for every search.
#[cfg(target_os = "linux")]
pub(super) fn time_suspended() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let read = |id| {
        let time = clock_gettime(id);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    };
    let mut suspended = Duration::ZERO;
    for _ in 0..3 {
        // The first clock stops while the machine is suspended, and the second does not.
        let before = read(ClockId::Monotonic);
        suspended = read(ClockId::Boottime).saturating_sub(before);
        // The readings belong together unless this thread had to wait for a core between them.
        if read(ClockId::Monotonic) < before + Duration::from_millis(1) {
            break;
        }
    }
    suspended
}

#[cfg(not(target_os = "linux"))]
pub(super) fn time_suspended() -> Duration {
    Duration::ZERO
}

/// The CPU time of all threads of a process so far. `None` if it has ended or the system has no such clock.
///
/// `/proc/PID/stat` has it in steps of a hundredth of a second, too coarse for a search of a tenth of a second.
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

#[cfg(windows)]
pub(super) use super::job::cpu_time;

#[cfg(not(any(target_os = "linux", windows)))]
pub(super) fn cpu_time(_: u32) -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_process_and_of_a_thread_are_read() {
        let text = "42 (my (odd) engine) R 1 42 42 0 -1 4194304 100 0 0 0 150 50 200 100 20 0 2 0 99";
        assert_eq!(parse_stat(text), Some(('R', time_of_ticks(200))));
        assert_eq!(parse_stat("42 (cut"), None);
        assert_eq!(
            (times(text, 14, 1), times(text, 16, 2)),
            (Some(time_of_ticks(150)), Some(time_of_ticks(300)))
        );
        #[cfg(target_os = "linux")]
        assert!(cpu_time_with_children().unwrap() > Duration::ZERO);
        let expected = CpuUse { used: Duration::from_nanos(102_091), waited: Duration::from_nanos(66_865) };
        assert_eq!(parse_schedstat("102091 66865 1\n"), Some((expected, 1)));
        assert_eq!(parse_schedstat(""), None);
    }

    #[test]
    fn a_wait_for_a_core_that_goes_on_is_no_idleness() {
        let second = Duration::from_secs(1);
        let ready = ThreadCounters { is_ready: true, runs: 7, ..ThreadCounters::default() };
        let waits = |earlier: ThreadCounters, now: ThreadCounters| now.since(Some(earlier), second).waited;
        assert_eq!(waits(ready, ready), second);
        // The thread slept before, sleeps now, or has run and perhaps slept between the snapshots.
        let asleep = ThreadCounters { is_ready: false, ..ready };
        assert_eq!(waits(asleep, ready), Duration::ZERO);
        assert_eq!(waits(ready, asleep), Duration::ZERO);
        assert_eq!(waits(ready, ThreadCounters { runs: 9, ..ready }), Duration::ZERO);
        assert_eq!(ready.since(None, second).waited, Duration::ZERO);
    }

    #[test]
    fn what_was_stolen_is_that_of_the_core_that_lost_most() {
        let at = |first: u64, second: u64| CpuSnapshot {
            stolen: parse_stolen(&format!(
                "cpu  1 2 3 4 5 6 7 99 0 0\ncpu0 1 2 3 4 5 6 7 {first} 0 0\ncpu1 1 2 3 4 5 6 7 {second} 0 0\nintr 5\n"
            )),
            ..CpuSnapshot::take(None)
        };
        let lost = at(15, 22).stolen_since(Some(&at(10, 20)));
        assert_eq!(lost + time_of_ticks(10), time_of_ticks(15));
        assert_eq!(at(15, 22).stolen_since(None), Duration::ZERO);
    }

    #[test]
    fn a_process_that_is_not_there_has_no_counters() {
        let snapshot = CpuSnapshot::take(Some(u32::MAX));
        assert_eq!(snapshot.engine_since(None), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_time_of_ended_threads_is_in_the_counters_and_an_ended_process_has_no_clock() {
        let own = std::process::id();
        let (first, before) = (CpuSnapshot::take(Some(own)), cpu_time(own).unwrap());
        let work =
            || (0..3_000_000_u64).fold(0, |sum: u64, i| std::hint::black_box(sum.wrapping_mul(31) + i % 7));
        std::thread::spawn(work).join().unwrap();
        assert!(cpu_time(own).unwrap() > before + Duration::from_millis(1));
        std::hint::black_box(work());
        let engine = CpuSnapshot::take(Some(own)).engine_since(Some(&first)).unwrap();
        assert!(engine.used > Duration::ZERO && engine.threads > 0, "{engine:?}");
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert_eq!(cpu_time(child.id()), None);
    }
}
