//! When the machine was noisy, by the events of a run.

use std::time::Duration;

use jiff::Timestamp;

use runner::{MachineNoise, MachineState};

/// What was said about the noise of the machine, and for how long there was noise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoiseLog {
    /// `None` as long as nobody looked.
    present: Option<MachineState>,
    since: Option<Timestamp>,
    past: Duration,
}

impl NoiseLog {
    /// Noise began, or the machine is quiet.
    pub fn change(&mut self, noise: Option<MachineNoise>, at: Timestamp) {
        self.end(at);
        self.present = Some(noise.into());
        self.since = noise.map(|_| at);
    }

    pub fn end(&mut self, at: Timestamp) {
        if let Some(since) = self.since.take() {
            self.past += Duration::try_from(at.duration_since(since)).unwrap_or_default();
        }
        self.present = None;
    }

    /// How it is now: `None` when nobody looks, or has not looked yet.
    pub const fn present(&self) -> Option<MachineState> {
        self.present
    }

    /// For how long the machine was noisy; noise that goes on counts when it has ended.
    pub const fn past(&self) -> Duration {
        self.past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_noise_add_up_and_end_with_the_run() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let noise = Some(MachineNoise { others: 0.5, stolen: 0.0 });
        let mut log = NoiseLog::default();
        assert_eq!(log.present(), None);
        log.change(None, at(10));
        assert_eq!(log.present(), Some(MachineState::Quiet));
        log.change(noise, at(20));
        assert_eq!((log.present(), log.past()), (Some(noise.into()), Duration::ZERO));
        log.change(None, at(50));
        log.change(noise, at(60));
        log.end(at(65));
        assert_eq!((log.present(), log.past()), (None, Duration::from_secs(35)));
    }
}
