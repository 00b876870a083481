//! The machine: how much memory is available, and how much other programs or a hypervisor disturb the engines.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;
use std::{fmt, fs, io, thread};

use serde::{Deserialize, Serialize};

use crate::RunConfig;
use crate::process::{ClockKind, cpu_time_with_children, time_of_ticks};

/// How much other programs and the hypervisor disturb the games.
///
/// A machine is noisy if, over 10 seconds, no core was idle and other programs took 5% of the CPU time, or if a hypervisor
/// took 2% of it. To an engine, both look like a clock that runs too fast. The machine is quiet again after a minute without
/// noise. Engines that disturb each other, because the concurrency is too high for the machine, are not noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineNoise {
    /// The share of all cores' time, from 0 to 1, that other programs took; 0 if a core was idle.
    pub others: f64,
    /// The share of all cores' time, from 0 to 1, that a hypervisor took.
    pub stolen: f64,
}

impl MachineNoise {
    /// The share of other programs from which the machine is noisy.
    pub const MOST_FOR_OTHERS: f64 = 0.05;

    /// The share of stolen time from which the machine is noisy.
    pub const MOST_STOLEN: f64 = 0.02;

    /// Whether this is enough to disturb a game.
    pub fn is_noisy(self) -> bool {
        self.others >= MachineNoise::MOST_FOR_OTHERS || self.stolen >= MachineNoise::MOST_STOLEN
    }
}

/// `other programs take 23% of the cores`, or the hypervisor's share if that makes the noise.
impl fmt::Display for MachineNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (others, stolen) = (self.others * 100.0, self.stolen * 100.0);
        match (self.others >= MachineNoise::MOST_FOR_OTHERS, self.stolen >= MachineNoise::MOST_STOLEN) {
            (false, true) => write!(f, "the hypervisor takes {stolen:.0}% of time"),
            (true, true) => {
                write!(f, "other programs take {others:.0}% of the cores, the hypervisor {stolen:.0}%")
            }
            _ => write!(f, "other programs take {others:.0}% of the cores"),
        }
    }
}

/// The system's counters at one moment: times summed over all cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MachineCounters {
    /// The total time.
    pub(super) all: Duration,
    pub(super) idle: Duration,
    /// The time that a hypervisor gave to others.
    pub(super) stolen: Duration,
    /// The CPU time of this process and all processes that it started.
    pub(super) ours: Duration,
}

impl MachineCounters {
    /// Reads the counters; `None` if the system has none.
    pub(super) fn read() -> Option<MachineCounters> {
        let ours = cpu_time_with_children()?;
        Some(MachineCounters { ours, ..MachineCounters::parse(&fs::read_to_string("/proc/stat").ok()?)? })
    }

    fn parse(stat: &str) -> Option<MachineCounters> {
        let (name, numbers) = stat.lines().next()?.split_once(' ')?;
        // user, nice, system, idle, iowait, irq, softirq, steal; guest time is included in the first two.
        let ticks: Vec<u64> =
            numbers.split_whitespace().map_while(|number| number.parse().ok()).take(8).collect();
        let time = time_of_ticks;
        match ticks[..] {
            [_, _, _, idle, waiting_for_disks, _, _, stolen] if name == "cpu" => Some(MachineCounters {
                all: time(ticks.iter().sum()),
                idle: time(idle + waiting_for_disks),
                stolen: time(stolen),
                ours: Duration::ZERO,
            }),
            _ => None,
        }
    }
}

/// The number of quiet windows in a row after which a noisy machine counts as quiet.
const QUIET_WINDOWS: u32 = 6;

/// A core counts as idle if this share of all cores' time is idle.
const SPARE: f64 = 0.05;

/// Compares successive counters, and reports when noise begins and ends.
#[derive(Debug, Default)]
pub(super) struct NoiseMeter {
    last: Option<MachineCounters>,
    /// The last report; `None` before the first.
    said: Option<MachineNoise>,
    quiet_windows: u32,
}

impl NoiseMeter {
    /// Takes the counters one window after the last ones. Returns a report if there is news: that the machine is noisy, or
    /// that it is quiet.
    pub(super) fn look(&mut self, now: MachineCounters) -> Option<MachineNoise> {
        let last = self.last.replace(now)?;
        self.judge(noise_between(last, now))
    }

    /// Noise is reported when it begins, quiet only once it has lasted.
    fn judge(&mut self, noise: MachineNoise) -> Option<MachineNoise> {
        self.quiet_windows = if noise.is_noisy() { 0 } else { self.quiet_windows + 1 };
        let was_noisy = self.said.is_some_and(MachineNoise::is_noisy);
        let is_quiet_again = was_noisy && self.quiet_windows >= QUIET_WINDOWS;
        let is_news = if noise.is_noisy() { !was_noisy } else { self.said.is_none() || is_quiet_again };
        is_news.then(|| *self.said.insert(noise))
    }
}

fn noise_between(last: MachineCounters, now: MachineCounters) -> MachineNoise {
    let all = now.all.saturating_sub(last.all).as_secs_f64();
    let share = |now: Duration, last: Duration| {
        if all > 0.0 { (now.saturating_sub(last).as_secs_f64() / all).min(1.0) } else { 0.0 }
    };
    let (idle, stolen) = (share(now.idle, last.idle), share(now.stolen, last.stolen));
    let others = (1.0 - idle - stolen - share(now.ours, last.ours)).max(0.0);
    MachineNoise { others: if idle < SPARE { others } else { 0.0 }, stolen }
}

/// The memory in bytes that programs can take without swapping: what the kernel calls available or, if that is less, what
/// the control group of this process is still allowed. `None` if the system does not tell.
pub fn available_memory() -> Option<u64> {
    let free = parse_available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let allowed = Path::new("/sys/fs/cgroup").join(own);
    let allowed =
        allowed.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup")).filter_map(allowed_in);
    allowed.chain([free]).min()
}

/// The line `MemAvailable` of `/proc/meminfo`.
fn parse_available(meminfo: &str) -> Option<u64> {
    let kibibytes = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(kibibytes.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// The memory that a control group may still take, file caches that can be dropped included; `None` if it has no limit.
fn allowed_in(group: &Path) -> Option<u64> {
    let read = |file| fs::read_to_string(group.join(file)).ok();
    let number = |file| read(file)?.trim().parse::<u64>().ok();
    let statistics = read("memory.stat").unwrap_or_default();
    let cached = statistics.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok());
    let held = number("memory.current")?.saturating_sub(cached.unwrap_or(0));
    Some(number("memory.max")?.saturating_sub(held))
}

/// The time over which noise is measured.
const WINDOW: Duration = Duration::from_secs(10);

/// A thread that checks the machine regularly as long as this value lives.
#[derive(Debug)]
pub(crate) struct NoiseWatch {
    /// Nothing is sent: the thread ends when this is dropped.
    _running: Sender<()>,
}

impl NoiseWatch {
    /// Reports changes of noise during a run that is timed by the wall clock; `None` for other runs or without counters.
    pub(crate) fn of_run(
        config: &RunConfig,
        tell: impl FnMut(MachineNoise) + Send + 'static,
    ) -> io::Result<Option<NoiseWatch>> {
        let is_timed = config.clock == ClockKind::Wall && config.is_timed();
        let Some(first) = MachineCounters::read().filter(|_| is_timed) else { return Ok(None) };
        let (sender, running) = channel();
        let (mut meter, mut tell) = (NoiseMeter { last: Some(first), ..NoiseMeter::default() }, tell);
        thread::Builder::new().spawn(move || {
            while matches!(running.recv_timeout(WINDOW), Err(RecvTimeoutError::Timeout)) {
                let Some(counters) = MachineCounters::read() else { return };
                meter.look(counters).into_iter().for_each(&mut tell);
            }
        })?;
        Ok(Some(NoiseWatch { _running: sender }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_cores_by_what_it_went_into() {
        let stat = "cpu  100 20 30 800 10 0 2 38 7 0\ncpu0 50 10 15 400 5 0 1 19 7 0\nintr 5 0 1\n";
        let time = time_of_ticks;
        let expected =
            MachineCounters { all: time(1000), idle: time(810), stolen: time(38), ours: Duration::ZERO };
        assert_eq!(MachineCounters::parse(stat), Some(expected));
        assert_eq!(MachineCounters::parse(""), None);
        assert_eq!(MachineCounters::parse("cpu  1 2 3\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_counters() {
        let counters = MachineCounters::read().unwrap();
        assert!(counters.all >= counters.idle + counters.stolen && counters.ours > Duration::ZERO);
    }

    #[test]
    fn available_memory_is_what_the_kernel_says_or_what_a_group_is_still_allowed() {
        assert_eq!(parse_available("MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable:   20 kB\n"), Some(20 << 10));
        assert_eq!(parse_available("MemTotal: 9 kB\n"), None);
        let group = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(group.path().join(name), text).unwrap();
        assert_eq!(allowed_in(group.path()), None);
        write("memory.current", "700\n");
        write("memory.max", "max\n");
        assert_eq!(allowed_in(group.path()), None);
        write("memory.max", "1000\n");
        assert_eq!(allowed_in(group.path()), Some(300));
        write("memory.stat", "anon 500\ninactive_file 150\nactive_file 50\n");
        assert_eq!(allowed_in(group.path()), Some(450));
    }

    /// The reports for windows of 100 core seconds with these idle, stolen and own seconds.
    fn said(windows: &[(u64, u64, u64)]) -> Vec<Option<bool>> {
        let mut meter = NoiseMeter::default();
        let mut counters = MachineCounters::default();
        meter.look(counters);
        let mut window = |&(idle, stolen, ours): &(u64, u64, u64)| {
            counters.all += Duration::from_secs(100);
            counters.idle += Duration::from_secs(idle);
            counters.stolen += Duration::from_secs(stolen);
            counters.ours += Duration::from_secs(ours);
            meter.look(counters).map(MachineNoise::is_noisy)
        };
        windows.iter().map(&mut window).collect()
    }

    #[test]
    fn noise_is_told_at_once_where_no_core_is_to_spare_and_ends_when_it_was_quiet_for_long() {
        assert_eq!(said(&[(0, 1, 97), (3, 0, 96), (0, 0, 90)]), [Some(false), None, Some(true)]);
        assert_eq!(said(&[(0, 2, 98)]), [Some(true)]);
        assert_eq!(said(&[(40, 0, 30), (4, 0, 60)]), [Some(false), Some(true)]);
        let (noisy, quiet) = ((0, 0, 50), (0, 0, 99));
        let mut windows = vec![noisy, quiet, quiet, quiet, quiet, quiet, noisy];
        windows.extend([quiet; 6]);
        let told = said(&windows);
        assert_eq!(told[0], Some(true));
        assert!(told[1..12].iter().all(Option::is_none), "{told:?}");
        assert_eq!(told[12], Some(false));
    }

    #[test]
    fn the_words_name_what_makes_the_noise() {
        let text = |others, stolen| MachineNoise { others, stolen }.to_string();
        assert_eq!(text(0.23, 0.01), "other programs take 23% of the cores");
        assert_eq!(text(0.03, 0.04), "the hypervisor takes 4% of time");
        assert_eq!(text(0.5, 0.04), "other programs take 50% of the cores, the hypervisor 4%");
        assert!(!MachineNoise { others: 0.04, stolen: 0.01 }.is_noisy());
    }
}
