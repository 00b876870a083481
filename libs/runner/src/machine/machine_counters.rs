//! The counters that Linux keeps for the whole machine, and what of them is ours.
//!
//! `/proc/stat` has the time of all cores by what it went into, in ticks (proc(5)).

use std::fs;
use std::time::Duration;

use crate::process::{cpu_time_with_children, ticks_per_second};

/// What the counters say at one moment: times of all cores together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MachineCounters {
    /// All of it.
    pub(super) all: Duration,
    /// While there was nothing to do.
    pub(super) idle: Duration,
    /// What a hypervisor gave to others.
    pub(super) stolen: Duration,
    /// What this process used, and everything that it started.
    pub(super) ours: Duration,
}

impl MachineCounters {
    /// Reads the counters; `None` on systems that have none.
    pub(super) fn read() -> Option<MachineCounters> {
        let ours = cpu_time_with_children()?;
        Some(MachineCounters { ours, ..MachineCounters::parse(&fs::read_to_string("/proc/stat").ok()?)? })
    }

    fn parse(stat: &str) -> Option<MachineCounters> {
        let (name, numbers) = stat.lines().next()?.split_once(' ')?;
        // user, nice, system, idle, iowait, irq, softirq, steal; the time of guests is in the first two.
        let ticks: Vec<u64> =
            numbers.split_whitespace().map_while(|number| number.parse().ok()).take(8).collect();
        let time = |ticks: u64| Duration::from_secs_f64(ticks as f64 / ticks_per_second());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_cores_by_what_it_went_into() {
        let stat = "cpu  100 20 30 800 10 0 2 38 7 0\ncpu0 50 10 15 400 5 0 1 19 7 0\nintr 5 0 1\n";
        let time = |ticks: u32| Duration::from_secs_f64(f64::from(ticks) / ticks_per_second());
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
}
