//! Decides when a run stops: the sequential tests have decided, or an engine does not start.

use super::PairingTests;
use crate::{FinishReason, GameRecord, RunConfig};
use referee::Side;

/// Counts finished games and decides when the run ends.
#[derive(Debug)]
pub(crate) struct StopRule {
    tests: Option<PairingTests>,
    start_attempts: u32,
    /// How often in a row each engine failed to start.
    failed_starts: Vec<u32>,
    verdict: Option<FinishReason>,
}

impl StopRule {
    pub(crate) fn new(config: &RunConfig) -> StopRule {
        StopRule {
            tests: PairingTests::of_run(config),
            start_attempts: config.start_attempts,
            failed_starts: vec![0; config.engines.len()],
            verdict: None,
        }
    }

    /// Takes note of a finished game; `unready` is whether it was lost by an engine that did not get ready to play.
    pub(crate) fn add(&mut self, record: &GameRecord, unready: bool) {
        self.count_failed_starts(record, unready);
        if let Some(tests) = &mut self.tests {
            tests.add(record);
            self.verdict = self.verdict.take().or_else(|| tests.verdict());
        }
    }

    fn count_failed_starts(&mut self, record: &GameRecord, unready: bool) {
        for side in [Side::White, Side::Black] {
            let engine = record.engine(side);
            let count = &mut self.failed_starts[engine];
            if unready && record.offender == Some(side) {
                *count += 1;
            } else if !unready {
                *count = 0;
            }
            if *count >= self.start_attempts && self.verdict.is_none() {
                let detail = record.detail.clone().unwrap_or_default();
                self.verdict = Some(FinishReason::EngineDoesNotStart { engine, detail });
            }
        }
    }

    /// Why no further game is to be started, if so.
    pub(crate) fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }

    /// Whether a game that ends now ends after the decision: that on the run, or that on its pairing.
    pub(crate) fn has_decided(&self, record: &GameRecord) -> bool {
        let on_run = matches!(
            self.verdict,
            Some(FinishReason::AcceptedH0 | FinishReason::AcceptedH1 | FinishReason::GaveUp)
        );
        let on_pairing = self.tests.as_ref().and_then(|tests| tests.verdict_on(record.white, record.black));
        on_run || on_pairing.is_some()
    }
}
