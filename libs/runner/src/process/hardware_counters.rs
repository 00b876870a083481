//! Hardware counters of the processor for an engine, if the system provides them (`perf_event_open`).
//!
//! Only Linux has that call. Virtual machines and containers often have no counters or forbid them; then nothing is
//! counted, and the caller gets `None`.

use serde::{Deserialize, Serialize};

/// The events since counting began, of all threads together, in user mode only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HardwareCounts {
    /// The instructions that were executed.
    pub instructions: u64,
    /// The clock cycles of the processor.
    pub cycles: u64,
    /// The branches that were predicted wrongly.
    pub branch_misses: u64,
    /// The memory accesses that missed the last-level cache.
    pub cache_misses: u64,
}

impl HardwareCounts {
    /// The events since an earlier reading.
    #[must_use]
    pub fn since(self, earlier: HardwareCounts) -> HardwareCounts {
        HardwareCounts {
            instructions: self.instructions.saturating_sub(earlier.instructions),
            cycles: self.cycles.saturating_sub(earlier.cycles),
            branch_misses: self.branch_misses.saturating_sub(earlier.branch_misses),
            cache_misses: self.cache_misses.saturating_sub(earlier.cache_misses),
        }
    }
}

impl std::ops::AddAssign for HardwareCounts {
    fn add_assign(&mut self, other: HardwareCounts) {
        self.instructions += other.instructions;
        self.cycles += other.cycles;
        self.branch_misses += other.branch_misses;
        self.cache_misses += other.cache_misses;
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::HardwareCounters;
#[cfg(not(target_os = "linux"))]
pub(super) use other::HardwareCounters;

#[cfg(target_os = "linux")]
mod linux {
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    use super::HardwareCounts;

    /// The counters of the threads of a process. Threads that these start inherit them.
    #[derive(Debug)]
    pub(in crate::process) struct HardwareCounters {
        threads: Vec<[Counter; 4]>,
    }

    const EVENTS: [Hardware; 4] =
        [Hardware::INSTRUCTIONS, Hardware::CPU_CYCLES, Hardware::BRANCH_MISSES, Hardware::CACHE_MISSES];

    impl HardwareCounters {
        /// Starts the counters for these threads; `None` unless all events can be counted for all of them.
        pub(in crate::process) fn open(threads: &[u32]) -> Option<HardwareCounters> {
            let open = |thread: u32, event: Hardware| {
                let mut counter =
                    Builder::new(event).observe_pid(thread as i32).any_cpu().inherit(true).build().ok()?;
                counter.enable().ok()?;
                Some(counter)
            };
            let of_thread = |&thread: &u32| {
                let counters: Option<Vec<Counter>> =
                    EVENTS.into_iter().map(|event| open(thread, event)).collect();
                counters?.try_into().ok()
            };
            let threads: Option<Vec<[Counter; 4]>> = threads.iter().map(of_thread).collect();
            threads.filter(|threads| !threads.is_empty()).map(|threads| HardwareCounters { threads })
        }

        /// The events counted so far; `None` if a counter cannot be read.
        pub(in crate::process) fn read(&mut self) -> Option<HardwareCounts> {
            let mut sum = HardwareCounts::default();
            for counters in &mut self.threads {
                let mut counts = [0; 4];
                for (count, counter) in counts.iter_mut().zip(counters) {
                    *count = counter.read().ok()?;
                }
                let [instructions, cycles, branch_misses, cache_misses] = counts;
                sum += HardwareCounts { instructions, cycles, branch_misses, cache_misses };
            }
            Some(sum)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::HardwareCounts;

    /// A stub: other systems have no such call.
    #[derive(Debug)]
    pub(in crate::process) struct HardwareCounters;

    impl HardwareCounters {
        pub(in crate::process) fn open(_: &[u32]) -> Option<HardwareCounters> {
            None
        }

        pub(in crate::process) fn read(&mut self) -> Option<HardwareCounts> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_grow_and_their_differences_are_those_of_the_time_between() {
        let at = |factor| HardwareCounts {
            instructions: 100 * factor,
            cycles: 50 * factor,
            branch_misses: 3 * factor,
            cache_misses: factor,
        };
        assert_eq!(at(5).since(at(2)), at(3));
        let mut sum = at(1);
        sum += at(2);
        assert_eq!(sum, at(3));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_is_counted_where_the_system_counts() {
        let thread = rustix::thread::gettid().as_raw_nonzero().get() as u32;
        let Some(mut counters) = HardwareCounters::open(&[thread]) else { return };
        let before = counters.read().unwrap();
        std::hint::black_box((0..100_000_u64).fold(0, |sum: u64, next| sum.wrapping_mul(31) ^ next));
        let work = counters.read().unwrap().since(before);
        assert!(work.instructions > 100_000, "{work:?}");
    }
}
