//! Pentanomial counts: opening pairs by their points.

use super::wdl::counts_add_up;
use super::{Outcome, Score};

/// The results of opening pairs (one opening, two games, colours reversed), from the first engine's point of
/// view.
///
/// The five counts are `[LL, LD, DD + WL, WD, WW]`: pairs worth 0, ½, 1, 1½ and 2 points. Serialised as that
/// array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Pentanomial {
    counts: [u64; 5],
}

impl Pentanomial {
    /// Counts in the order `[LL, LD, DD + WL, WD, WW]`.
    ///
    /// ```
    /// let pairs = stats::Pentanomial::new([0, 1, 5, 3, 1]);
    /// assert_eq!((pairs.pairs(), pairs.points()), (10, 12.0));
    /// ```
    pub const fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    /// The counts in the order `[LL, LD, DD + WL, WD, WW]`, ascending by points.
    pub const fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Counts a pair, given both outcomes for the first engine.
    pub const fn record(&mut self, first: Outcome, second: Outcome) {
        self.counts[first.half_points() + second.half_points()] += 1;
    }

    /// The number of complete pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The first engine's points; a draw counts ½.
    pub fn points(&self) -> f64 {
        let half_points =
            self.counts.iter().zip(0u32..).map(|(&count, worth)| count as f64 * f64::from(worth));
        half_points.sum::<f64>() / 2.0
    }

    /// The mean score per game, from 0 to 1, with the moments of a pair's mean score.
    pub fn score(&self) -> Score {
        Score::of_counts(&self.counts, 2)
    }

    /// `DrawRatio`: the share of pairs worth 1 point (DD or WL), from 0 to 1; `None` without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.counts[2] as f64 / pairs as f64)
    }

    /// `PairsRatio`: (WD + WW) / (LL + LD); `None` if no pair was lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.counts.map(|count| count as f64);
        (ll + ld > 0.0).then(|| (wd + ww) / (ll + ld))
    }

    /// The same pairs from the second engine's point of view.
    #[must_use]
    pub const fn reversed(&self) -> Pentanomial {
        let [ll, ld, level, wd, ww] = self.counts;
        Pentanomial::new([ww, wd, level, ld, ll])
    }
}

counts_add_up!(Pentanomial, counts, Pentanomial::new);
