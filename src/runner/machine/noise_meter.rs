//! Tells noise from its counters, look by look.

use std::time::Duration;

use super::machine_counters::MachineCounters;
use super::{MachineNoise, MachineState};

/// So many quiet windows in a row make a noisy machine quiet again.
const QUIET_WINDOWS: u32 = 6;

/// Compares looks at the counters over windows of some length, and says when noise begins and ends.
#[derive(Debug)]
pub(super) struct NoiseMeter {
    window: Duration,
    /// The look at which the window began, and how long ago that was.
    first: Option<MachineCounters>,
    elapsed: Duration,
    /// Looks since, and those at which more tasks were ready than there are cores.
    looks: u32,
    crowded: u32,
    /// What was said last; `None` before anything was.
    said: Option<MachineState>,
    quiet_windows: u32,
}

impl NoiseMeter {
    /// A meter that judges every window of this length.
    pub(super) const fn new(window: Duration) -> NoiseMeter {
        NoiseMeter {
            window,
            first: None,
            elapsed: Duration::ZERO,
            looks: 0,
            crowded: 0,
            said: None,
            quiet_windows: 0,
        }
    }

    /// Takes a look, so long after the last one. Returns what there is to say: that it is noisy, or that it is quiet.
    pub(super) fn look(&mut self, now: MachineCounters, passed: Duration) -> Option<MachineState> {
        let Some(first) = self.first else {
            self.first = Some(now);
            return None;
        };
        self.elapsed += passed;
        self.looks += 1;
        // The reader is itself among the tasks that are ready.
        self.crowded += u32::from(now.ready > now.cores + 1);
        if self.elapsed < self.window {
            return None;
        }
        let noise = self.noise_since(first, now);
        (self.first, self.elapsed, self.looks, self.crowded) = (Some(now), Duration::ZERO, 0, 0);
        self.judge(noise)
    }

    fn noise_since(&self, first: MachineCounters, now: MachineCounters) -> MachineNoise {
        let all = now.all.saturating_sub(first.all).max(1);
        let stolen = now.stolen.saturating_sub(first.stolen) as f64 / all as f64;
        let waiting = match (first.waited, now.waited) {
            (Some(before), Some(now)) => {
                now.saturating_sub(before).as_secs_f64() / self.elapsed.as_secs_f64()
            }
            _ => f64::from(self.crowded) / f64::from(self.looks.max(1)),
        };
        MachineNoise { waiting: waiting.min(1.0), stolen: stolen.min(1.0) }
    }

    /// The beginning of noise is told at once, its end when it has lasted.
    fn judge(&mut self, noise: MachineNoise) -> Option<MachineState> {
        self.quiet_windows = if noise.is_noisy() { 0 } else { self.quiet_windows + 1 };
        let was_noisy = matches!(self.said, Some(MachineState::Noisy(_)));
        let news = match noise.is_noisy() {
            true if !was_noisy => MachineState::Noisy(noise),
            false if self.said.is_none() || was_noisy && self.quiet_windows >= QUIET_WINDOWS => {
                MachineState::Quiet
            }
            _ => return None,
        };
        self.said = Some(news);
        self.said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// What is said in windows of one second, in each of which work waits for so many milliseconds and so many of a
    /// hundred ticks are stolen.
    fn said(windows: &[(u64, u64)]) -> Vec<Option<bool>> {
        let mut meter = NoiseMeter::new(SECOND);
        let mut counters =
            MachineCounters { waited: Some(Duration::ZERO), cores: 1, ..MachineCounters::default() };
        meter.look(counters, Duration::ZERO);
        let mut window = |&(waited, stolen): &(u64, u64)| {
            counters.waited = counters.waited.map(|sum| sum + Duration::from_millis(waited));
            (counters.all, counters.stolen) = (counters.all + 100, counters.stolen + stolen);
            meter.look(counters, SECOND).map(|state| state.noise().is_some())
        };
        windows.iter().map(&mut window).collect()
    }

    #[test]
    fn quiet_is_told_first_and_noise_at_once() {
        assert_eq!(said(&[(99, 1), (10, 0), (100, 0)]), [Some(false), None, Some(true)]);
        assert_eq!(said(&[(0, 2)]), [Some(true)]);
    }

    #[test]
    fn noise_ends_only_when_it_was_quiet_for_long() {
        let mut windows = vec![(500, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (500, 0)];
        windows.extend([(0, 0); 6]);
        let told = said(&windows);
        assert_eq!(told[0], Some(true));
        assert!(told[1..12].iter().all(Option::is_none), "{told:?}");
        assert_eq!(told[12], Some(false));
    }

    #[test]
    fn without_a_measure_of_waiting_the_tasks_that_are_ready_are_counted() {
        let mut meter = NoiseMeter::new(10 * SECOND);
        let crowded = MachineCounters { all: 1, cores: 2, ready: 5, ..MachineCounters::default() };
        let calm = MachineCounters { ready: 3, ..crowded };
        let mut last = meter.look(calm, SECOND);
        for second in 0..10 {
            last = meter.look(if second < 3 { crowded } else { calm }, SECOND);
        }
        assert_eq!(last, Some(MachineState::Noisy(MachineNoise { waiting: 0.3, stolen: 0.0 })));
    }
}
