//! Decides when a run stops: the SPRT has decided, or an engine does not start.

use std::collections::HashMap;

use crate::{FinishReason, GameRecord, RunConfig};
use referee::{GameResult, Side};
use stats::{Outcome, Pentanomial, Sprt, SprtStatus, Wdl};

/// Counts finished games and decides when the run ends.
#[derive(Debug)]
pub(crate) struct StopRule {
    sprt: Option<Sprt>,
    /// The SPRT is given up below this probability that the remaining pairs accept a true H1.
    give_up: Option<f64>,
    planned_pairs: u64,
    /// Whether the test counts single games.
    trinomial: bool,
    start_attempts: u32,
    /// The first game of each pair whose second game is not there yet, from the first engine's point of view.
    open_pairs: HashMap<u32, Outcome>,
    pairs: Pentanomial,
    games: Wdl,
    /// How often in a row each engine failed to start.
    failed_starts: Vec<u32>,
    verdict: Option<FinishReason>,
}

impl StopRule {
    pub(crate) fn new(config: &RunConfig) -> StopRule {
        StopRule {
            // What a shard says is no verdict on the run.
            sprt: config.sprt.filter(|_| config.shard.is_none()),
            give_up: config.give_up,
            planned_pairs: u64::from(config.games) / 2,
            trinomial: config.trinomial,
            start_attempts: config.start_attempts,
            open_pairs: HashMap::new(),
            pairs: Pentanomial::default(),
            games: Wdl::default(),
            failed_starts: vec![0; config.engines.len()],
            verdict: None,
        }
    }

    /// Takes note of a finished game; `unready` is whether it was lost by an engine that did not get ready to play.
    pub(crate) fn add(&mut self, record: &GameRecord, unready: bool) {
        self.count_failed_starts(record, unready);
        let Some(result) = record.scored_result() else { return };
        if let Some(sprt) = self.sprt {
            let outcome = outcome_of_first_engine(record, result);
            match self.open_pairs.remove(&record.pair) {
                Some(other) => self.pairs.record(other, outcome),
                None => {
                    self.open_pairs.insert(record.pair, outcome);
                }
            }
            self.games.record(outcome);
            let llr =
                if self.trinomial { sprt.llr_of_games(&self.games) } else { sprt.llr_of_pairs(&self.pairs) };
            let verdict = match sprt.status(llr) {
                SprtStatus::Continue => self.is_futile(&sprt).then_some(FinishReason::GaveUp),
                SprtStatus::AcceptH0 => Some(FinishReason::AcceptedH0),
                SprtStatus::AcceptH1 => Some(FinishReason::AcceptedH1),
            };
            self.verdict = self.verdict.take().or(verdict);
        }
    }

    /// Whether the pairs that are left would hardly take the test to H1.
    fn is_futile(&self, sprt: &Sprt) -> bool {
        let left = self.planned_pairs.saturating_sub(self.pairs.pairs());
        let chance = self.give_up.and_then(|least| Some((sprt.chance_of_h1(&self.pairs, left)?, least)));
        left > 0 && chance.is_some_and(|(chance, least)| chance < least)
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

    /// Whether the sequential test has come to its decision.
    pub(crate) fn has_decided(&self) -> bool {
        matches!(
            self.verdict,
            Some(FinishReason::AcceptedH0 | FinishReason::AcceptedH1 | FinishReason::GaveUp)
        )
    }
}

fn outcome_of_first_engine(record: &GameRecord, result: GameResult) -> Outcome {
    match result.winner() {
        None => Outcome::Draw,
        Some(side) if record.engine(side) == 0 => Outcome::Win,
        Some(_) => Outcome::Loss,
    }
}
