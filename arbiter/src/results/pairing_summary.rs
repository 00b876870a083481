//! The games between two engines of a run, and the estimates from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use runner::{PairingGames, PairingTest, SprtSummary};
use stats::{EloEstimate, Los, NormalizedEloEstimate, Observations, Pentanomial, Repeats, SprtEstimate, Wdl};

/// The games between two engines, from the first engine's view.
///
/// All numbers except `wdl` come from completed pairs of games, or from single games until there is a pair.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PairingSummary {
    /// The index of the engine that comes first in the configuration.
    pub first: usize,
    /// The index of the other engine.
    pub second: usize,
    /// Wins, draws and losses in single games, including open pairs and repeated games.
    pub wdl: Wdl,
    /// Completed pairs by their points, without pairs that repeat an earlier one.
    pub pentanomial: Pentanomial,
    /// Games and pairs that repeat the moves of earlier ones. They add no information, so only `wdl` includes them.
    #[serde(default, skip_serializing_if = "Repeats::is_empty")]
    pub repeats: Repeats,
    /// Pairs of `pentanomial` in which both engines played the same moves, which show no difference.
    #[serde(default, skip_serializing_if = "runner::is_default")]
    pub mirrored_pairs: u64,
    /// The results from which the test and all estimates are computed, if they include games that are not in `wdl`: of
    /// other shards of the pool, even lost ones, or of an earlier run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Observations>,
    #[serde(flatten)]
    pub estimates: Estimates,
}

/// Estimates from the games of two engines, from the first one's view, and the state of their sequential test.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Estimates {
    /// The Elo difference and its 95% interval.
    pub elo: EloEstimate,
    /// The normalized Elo difference and its 95% interval.
    pub normalized_elo: NormalizedEloEstimate,
    /// LOS: the probability that the first engine is stronger, from 0 to 1.
    pub los: Los,
    /// `DrawRatio`, from 0 to 1: the share of level pairs, or of drawn games for single games; `None` without games.
    pub draw_ratio: Option<f64>,
    /// `PairsRatio`: pairs won divided by pairs lost; `None` if no pair is lost, and for single games.
    pub pair_ratio: Option<f64>,
    /// The state of the sequential test, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// The median-unbiased estimates after the sequential test, from all games that it counts, including earlier results;
    /// while the test goes on, as if it ended now. Absent if no test ends the games, if all results are equal, and in
    /// live views of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_sprt: Option<SprtEstimate>,
}

impl Estimates {
    /// Estimates from pairs or single games; `sprt` is the test of these games.
    pub fn new(observations: &Observations, sprt: Option<SprtSummary>) -> Estimates {
        let score = observations.score();
        Estimates {
            elo: EloEstimate::new(&score),
            normalized_elo: NormalizedEloEstimate::new(&score),
            los: Los::new(&score),
            draw_ratio: observations.draw_ratio(),
            pair_ratio: observations.pair_ratio(),
            sprt,
            after_sprt: None,
        }
    }

    /// Whether the test has decided, which makes the fixed-length estimates too extreme.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(SprtSummary::is_decided)
    }
}

impl PairingSummary {
    /// Summarizes the games of the engines with these indices, and their test.
    pub(super) fn new(
        (first, second): (usize, usize),
        PairingGames { scored, .. }: &PairingGames,
        test: Option<&PairingTest>,
    ) -> PairingSummary {
        let (sprt, counted) = test.map(|test| (test.sprt, test.counted())).unzip();
        let own = |of_games| scored.observations(of_games);
        let tested = counted.flatten().filter(|all| *all != own(matches!(all, Observations::Games(_))));
        PairingSummary {
            first,
            second,
            wdl: *scored.games(),
            pentanomial: scored.new_pairs(),
            repeats: *scored.repeats(),
            mirrored_pairs: scored.mirrored_pairs(),
            estimates: Estimates::new(&tested.unwrap_or_else(|| own(scored.pairs().pairs() == 0)), sprt),
            tested,
        }
    }

    /// The basis of the estimates, without repeats: pairs, or single games if several games have made no pair.
    pub fn observations(&self) -> Observations {
        self.tested.unwrap_or(if self.pentanomial.pairs() == 0 && self.wdl.games() > 1 {
            Observations::Games(self.wdl - self.repeats.games)
        } else {
            Observations::Pairs(self.pentanomial)
        })
    }

    /// The number of these games, including single games of open pairs unless the test counts more than this folder.
    pub fn games(&self) -> u64 {
        self.tested.map_or(self.wdl.games(), |tested| tested.games())
    }
}
