//! What is counted for two engines that meet.

use std::collections::BTreeMap;

use super::summary::{PairingSummary, SprtSummary};
use runner::GameRecord;
use stats::{EloEstimate, Los, NormalizedEloEstimate, Outcome, Pentanomial, Sprt, Wdl};

/// The games of two engines, seen by the one that comes first in the configuration.
#[derive(Clone, Debug, Default)]
pub struct PairingTally {
    wdl: Wdl,
    pairs: Pentanomial,
    /// The first game of each pair whose second is not finished, by the index of the pair.
    halves: BTreeMap<u32, Outcome>,
}

impl PairingTally {
    /// Counts a game between the two, unless a sequential test decided without it, `first` being the index of the
    /// engine that is seen first.
    pub fn add(&mut self, game: &GameRecord, first: usize) {
        let Some(half_points) = game.half_points(first).filter(|_| !game.after_decision) else { return };
        let outcome = Outcome::of_half_points(half_points);
        self.wdl.record(outcome);
        match self.halves.remove(&game.pair) {
            Some(other) => self.pairs.record(other, outcome),
            None => {
                self.halves.insert(game.pair, outcome);
            }
        }
    }

    /// The completed pairs.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The summary for the engines with the indices `first` and `second`; whether the test counts single games.
    pub fn summary(
        &self,
        first: usize,
        second: usize,
        sprt: Option<&Sprt>,
        trinomial: bool,
    ) -> PairingSummary {
        let has_pairs = self.pairs.pairs() > 0;
        let score = if has_pairs { self.pairs.score() } else { self.wdl.score() };
        PairingSummary {
            first,
            second,
            wdl: self.wdl,
            pentanomial: self.pairs,
            elo: EloEstimate::new(&score),
            normalized_elo: NormalizedEloEstimate::new(&score),
            los: Los::new(&score),
            draw_ratio: if has_pairs { self.pairs.draw_ratio() } else { self.wdl.draw_ratio() },
            pair_ratio: self.pairs.pair_ratio(),
            sprt: sprt.map(|test| {
                let llr =
                    if trinomial { test.llr_of_games(&self.wdl) } else { test.llr_of_pairs(&self.pairs) };
                SprtSummary::new(test, llr)
            }),
        }
    }
}
