//! Measures from events how long a run was played, at what pace, and how long the machine was noisy.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use runner::{MachineNoise, Pace};

/// The time during which games were played, without pauses and without interruptions until the run resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PlayTime {
    /// When play began after the last interruption, moved later by the length of every pause since.
    since: Option<Timestamp>,
    now: Option<Timestamp>,
    earlier: Duration,
    pub(super) finished: u64,
    pub(super) pace: Pace,
    paused_at: Option<Timestamp>,
    pub(super) noise: NoiseLog,
}

impl PlayTime {
    pub(super) fn new(concurrency: usize) -> PlayTime {
        PlayTime {
            since: None,
            now: None,
            earlier: Duration::ZERO,
            finished: 0,
            pace: Pace { paused: false, concurrency },
            paused_at: None,
            noise: NoiseLog::default(),
        }
    }

    /// Games are played from now on, at first or after an interruption.
    pub(super) fn begin(&mut self, concurrency: usize, at: Timestamp) {
        // The noise was not observed after the last event.
        self.noise.end(self.now.unwrap_or(at));
        *self = PlayTime {
            earlier: self.total(),
            since: Some(at),
            now: self.now,
            noise: self.noise,
            ..PlayTime::new(concurrency)
        };
    }

    pub(super) fn advance(&mut self, at: Timestamp) {
        self.now = Some(self.now.map_or(at, |now| now.max(at)));
    }

    /// The time of a pause does not count for the speed, but games that finish during it do.
    pub(super) fn change_pace(&mut self, pace: Pace, at: Timestamp) {
        self.pace = pace;
        if pace.paused {
            self.paused_at.get_or_insert(at);
        } else if let (Some(began), Some(since)) = (self.paused_at.take(), self.since) {
            self.since = since.checked_add(at.duration_since(began)).ok().or(self.since);
        }
    }

    pub(super) fn total(&self) -> Duration {
        // A file may claim any time, so the sum saturates.
        self.earlier.saturating_add(self.since_begun().unwrap_or_default())
    }

    fn since_begun(&self) -> Option<Duration> {
        self.now?.duration_since(self.since?).try_into().ok()
    }

    pub(super) fn games_per_minute(&self) -> Option<f64> {
        let elapsed = self.since_begun()?;
        (self.finished > 0 && !elapsed.is_zero()).then(|| self.finished as f64 * 60.0 / elapsed.as_secs_f64())
    }
}

/// The reported noise of the machine, and how long it lasted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoiseLog {
    /// The current noise, zero on a quiet machine; `None` if it is not measured, or not yet.
    pub present: Option<MachineNoise>,
    since: Option<Timestamp>,
    /// How long the machine was noisy; current noise is added when it ends.
    pub past: Duration,
}

impl NoiseLog {
    /// Records that noise began, or with `None` that the machine is quiet.
    pub fn change(&mut self, noise: Option<MachineNoise>, at: Timestamp) {
        self.end(at);
        self.present = Some(noise.unwrap_or_default());
        self.since = noise.map(|_| at);
    }

    pub fn end(&mut self, at: Timestamp) {
        if let Some(since) = self.since.take() {
            let noisy = Duration::try_from(at.duration_since(since)).unwrap_or_default();
            self.past = self.past.saturating_add(noisy);
        }
        self.present = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_add_up_and_end_with_the_run_and_are_as_long_as_can_be_where_they_cannot() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let noise = Some(MachineNoise { others: 0.5, stolen: 0.0 });
        let mut log = NoiseLog::default();
        assert_eq!(log.present, None);
        log.change(None, at(10));
        assert_eq!(log.present, Some(MachineNoise::default()));
        log.change(noise, at(20));
        assert_eq!((log.present, log.past), (noise, Duration::ZERO));
        log.change(None, at(50));
        log.change(noise, at(60));
        log.end(at(65));
        assert_eq!((log.present, log.past), (None, Duration::from_secs(35)));
        let mut time = PlayTime { earlier: Duration::MAX, ..PlayTime::new(1) };
        time.noise.past = Duration::MAX;
        time.begin(1, at(0));
        time.noise.change(Some(MachineNoise::default()), at(0));
        time.advance(at(9));
        time.begin(1, at(9));
        assert_eq!((time.total(), time.noise.past), (Duration::MAX, Duration::MAX));
    }
}
