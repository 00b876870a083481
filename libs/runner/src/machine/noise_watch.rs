//! Watches the machine while games are played by the clock.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::MachineState;
use super::machine_counters::MachineCounters;
use super::noise_meter::NoiseMeter;
use crate::RunConfig;

/// Over how long noise is measured.
const WINDOW: Duration = Duration::from_secs(10);

/// The end of the watch: it goes on as long as this lives.
#[derive(Debug)]
pub(crate) struct NoiseWatch {
    /// Nothing is sent: the watch ends when this is dropped.
    _running: Sender<()>,
}

/// What the watch does, on a thread of its own.
#[derive(Debug)]
pub(crate) struct Watching {
    running: Receiver<()>,
    first: MachineCounters,
}

impl NoiseWatch {
    /// A watch, and what it does; `None` where no engine has a clock, or the system has no counters.
    pub(crate) fn of_run(config: &RunConfig) -> Option<(NoiseWatch, Watching)> {
        let is_timed = (0..config.engines.len()).any(|engine| config.limits_of(engine).is_timed());
        let first = if is_timed { MachineCounters::read()? } else { return None };
        let (sender, running) = channel();
        Some((NoiseWatch { _running: sender }, Watching { running, first }))
    }
}

impl Watching {
    /// Looks at the counters now and then, and tells when noise begins and ends.
    pub(crate) fn run(self, mut tell: impl FnMut(MachineState)) {
        let mut meter = NoiseMeter::default();
        meter.look(self.first);
        while matches!(self.running.recv_timeout(WINDOW), Err(RecvTimeoutError::Timeout)) {
            let Some(counters) = MachineCounters::read() else { return };
            if let Some(news) = meter.look(counters) {
                tell(news);
            }
        }
    }
}
