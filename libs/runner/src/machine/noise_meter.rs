//! Detects noise from the counters of the system.

use std::time::Duration;

use super::machine_counters::MachineCounters;
use super::{MachineNoise, MachineState};

/// Quiet windows in a row after which a noisy machine counts as quiet.
const QUIET_WINDOWS: u32 = 6;

/// A core counts as idle when this share of the time of all cores is idle.
const SPARE: f64 = 0.05;

/// Compares looks at the counters, and says when noise begins and ends.
#[derive(Debug, Default)]
pub(super) struct NoiseMeter {
    last: Option<MachineCounters>,
    /// What was said last; `None` before anything was.
    said: Option<MachineState>,
    quiet_windows: u32,
}

impl NoiseMeter {
    /// Takes a look, the length of a window after the last one. Returns what there is to say: that it is noisy, or that
    /// it is quiet.
    pub(super) fn look(&mut self, now: MachineCounters) -> Option<MachineState> {
        let last = self.last.replace(now)?;
        self.judge(noise_between(last, now))
    }

    /// Noise is reported when it begins, quiet when it has lasted.
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

fn noise_between(last: MachineCounters, now: MachineCounters) -> MachineNoise {
    let all = now.all.saturating_sub(last.all).as_secs_f64();
    let share = |now: Duration, last: Duration| {
        if all > 0.0 { (now.saturating_sub(last).as_secs_f64() / all).min(1.0) } else { 0.0 }
    };
    let (idle, stolen) = (share(now.idle, last.idle), share(now.stolen, last.stolen));
    let others = (1.0 - idle - stolen - share(now.ours, last.ours)).max(0.0);
    MachineNoise { others: if idle < SPARE { others } else { 0.0 }, stolen }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is reported for windows of 100 core seconds, of which these are idle, stolen and ours.
    fn said(windows: &[(u64, u64, u64)]) -> Vec<Option<bool>> {
        let mut meter = NoiseMeter::default();
        let mut counters = MachineCounters::default();
        meter.look(counters);
        let mut window = |&(idle, stolen, ours): &(u64, u64, u64)| {
            counters.all += Duration::from_secs(100);
            counters.idle += Duration::from_secs(idle);
            counters.stolen += Duration::from_secs(stolen);
            counters.ours += Duration::from_secs(ours);
            meter.look(counters).map(|state| state.noise().is_some())
        };
        windows.iter().map(&mut window).collect()
    }

    #[test]
    fn quiet_is_told_first_and_noise_at_once() {
        assert_eq!(said(&[(0, 1, 97), (3, 0, 96), (0, 0, 90)]), [Some(false), None, Some(true)]);
        assert_eq!(said(&[(0, 2, 98)]), [Some(true)]);
    }

    #[test]
    fn where_a_core_is_to_spare_others_may_have_it() {
        assert_eq!(said(&[(40, 0, 30), (4, 0, 60)]), [Some(false), Some(true)]);
    }

    #[test]
    fn noise_ends_only_when_it_was_quiet_for_long() {
        let (noisy, quiet) = ((0, 0, 50), (0, 0, 99));
        let mut windows = vec![noisy, quiet, quiet, quiet, quiet, quiet, noisy];
        windows.extend([quiet; 6]);
        let told = said(&windows);
        assert_eq!(told[0], Some(true));
        assert!(told[1..12].iter().all(Option::is_none), "{told:?}");
        assert_eq!(told[12], Some(false));
    }
}
