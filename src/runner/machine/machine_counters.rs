//! The counters that Linux keeps for the whole machine.
//!
//! `/proc/stat` has the time of all cores by what it went into, in ticks (proc(5)), and `/proc/pressure/cpu` for how
//! long work that was ready had to wait for a core (Documentation/accounting/psi.rst of the kernel). A kernel without
//! the second still tells how many tasks are ready at this moment.

use std::fs;
use std::time::Duration;

/// What the counters say at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MachineCounters {
    /// The time of all cores together, in ticks.
    pub(super) all: u64,
    /// What a hypervisor gave to others, in ticks.
    pub(super) stolen: u64,
    /// How many cores there are.
    pub(super) cores: u64,
    /// How many tasks run or are ready to run, that of the reader included.
    pub(super) ready: u64,
    /// For how long work waited for a core, by the kernel's average over the cores. `None` where it does not keep it.
    pub(super) waited: Option<Duration>,
}

impl MachineCounters {
    /// Reads the counters; `None` on systems that have none.
    pub(super) fn read() -> Option<MachineCounters> {
        let pressure = fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
        MachineCounters::parse(&fs::read_to_string("/proc/stat").ok()?, &pressure)
    }

    fn parse(stat: &str, pressure: &str) -> Option<MachineCounters> {
        let mut counters = MachineCounters { waited: parse_pressure(pressure), ..MachineCounters::default() };
        for line in stat.lines() {
            let (name, rest) = line.split_once(' ')?;
            let mut numbers = rest.split_whitespace().map_while(|number| number.parse::<u64>().ok());
            match name {
                // user, nice, system, idle, iowait, irq, softirq, steal; the time of guests is in the first two.
                "cpu" => {
                    let ticks: Vec<u64> = numbers.take(8).collect();
                    counters.all = ticks.iter().sum();
                    counters.stolen = ticks.get(7).copied().unwrap_or(0);
                }
                "procs_running" => counters.ready = numbers.next()?,
                name if name.starts_with("cpu") => counters.cores += 1,
                _ => {}
            }
        }
        (counters.all > 0).then_some(counters)
    }
}

/// `some avg10=4.82 avg60=3.93 avg300=24.38 total=9422779944`, the last in microseconds.
fn parse_pressure(text: &str) -> Option<Duration> {
    let some = text.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.trim().parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 20 30 800 10 0 2 38 7 0\ncpu0 50 10 15 400 5 0 1 19 7 0\n\
                        cpu1 50 10 15 400 5 0 1 19 0 0\nintr 5 0 1\nctxt 99\nprocs_running 3\nprocs_blocked 0\n";

    #[test]
    fn the_time_of_the_cores_and_what_was_stolen_of_it() {
        let pressure = "some avg10=4.82 avg60=3.93 avg300=24.38 total=9422779\nfull avg10=0.00 total=0\n";
        let counters = MachineCounters::parse(STAT, pressure).unwrap();
        let waited = Some(Duration::from_micros(9_422_779));
        assert_eq!(counters, MachineCounters { all: 1000, stolen: 38, cores: 2, ready: 3, waited });
    }

    #[test]
    fn without_pressure_the_rest_is_known_and_other_systems_tell_nothing() {
        assert_eq!(MachineCounters::parse(STAT, "").unwrap().waited, None);
        assert_eq!(MachineCounters::parse("", ""), None);
    }
}
