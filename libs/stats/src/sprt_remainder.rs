//! The expected remaining length of a sequential test, and its chances in the pairs that are left.

use super::llr::LlrSteps;
use super::normal;
use super::{Llr, Pentanomial, Score, Sprt, SprtStatus};

/// The fewest pairs for an estimate: before, the trend of the LLR is chance.
const FEWEST_PAIRS: u64 = 20;

impl Sprt {
    /// The expected number of further opening pairs if the true difference is the one seen so far.
    ///
    /// Between its bounds the log-likelihood ratio is taken for a Brownian motion whose drift is that of the pairs
    /// played; the formula is its mean time to either bound (Karlin and Taylor, "A Second Course in Stochastic
    /// Processes", 1981, section 15.3). `None` when the test has decided, or when there are too few pairs, or all of
    /// them alike, so that they show no trend.
    pub fn pairs_to_go(&self, pairs: &Pentanomial) -> Option<f64> {
        let (llr, score) = (self.llr_of_pairs(pairs), pairs.score());
        if score.observations() < FEWEST_PAIRS || self.status(llr) != SprtStatus::Continue {
            return None;
        }
        let variance = self.variance_of_steps(&score)?;
        let drift = llr.value() / score.observations() as f64;
        let distance = |one: Llr, other: Llr| one.value() - other.value();
        Some(time_to_a_bound(drift, variance, distance(llr, self.lower()), distance(self.upper(), llr)))
    }

    /// The probability that `left` further opening pairs take the test to H1 if H1 is true.
    ///
    /// The log-likelihood ratio is taken for a Brownian motion, whose drift under H1 is half its variance; the formula is
    /// its probability to reach a level in a given time (Borodin and Salminen, "Handbook of Brownian Motion", 2002, part
    /// II, 2.1.1.4). A test that stops when this is below γ accepts H1 less often when it is true, by less than γ, and
    /// never more often when H0 is (stochastic curtailment: Lan, Simon and Halperin, 1982). The lower bound is left out
    /// of account, so the probability is never too small. `None` with fewer than 20 pairs, or when all are alike.
    pub fn chance_of_h1(&self, pairs: &Pentanomial, left: u64) -> Option<f64> {
        let score = pairs.score();
        if score.observations() < FEWEST_PAIRS {
            return None;
        }
        let variance = self.variance_of_steps(&score)?;
        let above = self.upper().value() - self.llr_of_pairs(pairs).value();
        Some(chance_to_reach(variance, above, left as f64))
    }

    fn variance_of_steps(&self, score: &Score) -> Option<f64> {
        let moments = (score.mean(), score.variance_per_observation().sqrt());
        LlrSteps::new(self, score.games_per_observation(), moments).variance()
    }
}

/// The mean time until a Brownian motion has gone `below` downwards or `above` upwards.
pub(super) fn time_to_a_bound(drift: f64, variance: f64, below: f64, above: f64) -> f64 {
    let (drift, behind, ahead) = if drift < 0.0 { (-drift, above, below) } else { (drift, below, above) };
    let steepness = 2.0 * drift / variance;
    // Without a drift the formula below is 0 by 0; this is its limit.
    if steepness * (behind + ahead) < 1e-6 {
        return behind * ahead / variance;
    }
    let reaches_the_one_ahead = (-steepness * behind).exp_m1() / (-steepness * (behind + ahead)).exp_m1();
    (reaches_the_one_ahead * (behind + ahead) - behind) / drift
}

/// The probability that a Brownian motion with half its variance as drift has been `above` higher within so many steps.
pub(super) fn chance_to_reach(variance: f64, above: f64, steps: f64) -> f64 {
    if above <= 0.0 {
        return 1.0;
    }
    let (drift, spread) = (variance * steps / 2.0, (variance * steps).sqrt());
    if spread <= 0.0 {
        return 0.0;
    }
    let beyond = normal::cumulative((drift - above) / spread);
    (beyond + above.exp() * normal::cumulative((-drift - above) / spread)).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::SprtModel;

    fn test_of(model: SprtModel) -> Sprt {
        Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn the_mean_time_is_that_of_walks_that_were_walked() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (drift, below, above) in [(0.0, 1.0, 1.0), (0.004, 1.5, 0.5), (-0.01, 0.7, 1.3)] {
            let step = 0.05_f64;
            let mut walk = || {
                let (mut at, mut steps) = (0.0, 0);
                while at > -below && at < above {
                    at += drift + if rng.random::<bool>() { step } else { -step };
                    steps += 1;
                }
                f64::from(steps)
            };
            let mean = (0..1500).map(|_| walk()).sum::<f64>() / 1500.0;
            let expected = time_to_a_bound(drift, step * step, below, above);
            assert!((mean / expected - 1.0).abs() < 0.12, "{drift}: {mean} and {expected}");
        }
    }

    #[test]
    fn the_chance_is_that_of_walks_that_were_walked() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        for (above, steps) in [(0.5, 400), (1.5, 900), (3.0, 1200), (2.0, 4000)] {
            let (step, walks) = (0.04_f64, 2000);
            let drift = step * step / 2.0;
            let mut arrives = || {
                let mut at = 0.0;
                (0..steps).any(|_| {
                    at += drift + if rng.random::<bool>() { step } else { -step };
                    at >= above
                })
            };
            let share = (0..walks).filter(|_| arrives()).count() as f64 / f64::from(walks);
            let expected = chance_to_reach(step * step, above, f64::from(steps));
            assert!((share - expected).abs() < 0.03, "{above} in {steps}: {share} and {expected}");
        }
    }

    #[test]
    fn the_chance_falls_with_the_pairs_that_are_left() {
        let test = test_of(SprtModel::Normalized);
        let pairs = Pentanomial::new([20, 170, 320, 160, 20]);
        let chances = [100_000, 10_000, 5000, 1000, 0].map(|left| test.chance_of_h1(&pairs, left).unwrap());
        assert!(chances.is_sorted_by(|one, next| one > next), "{chances:?}");
        assert!(chances[0] > 0.9 && chances[4] <= 0.0, "{chances:?}");
        assert_eq!(test.chance_of_h1(&Pentanomial::new([1, 4, 6, 4, 1]), 100), None);
        let won = Pentanomial::new([0, 100, 3000, 4000, 900]);
        assert!(test.chance_of_h1(&won, 0).unwrap() >= 1.0);
    }

    #[test]
    fn a_clear_trend_takes_as_long_as_the_rest_of_the_way() {
        let pairs = Pentanomial::new([10, 100, 300, 170, 30]);
        let test = test_of(SprtModel::Normalized);
        let llr = test.llr_of_pairs(&pairs).value();
        let straight = (test.upper().value() - llr) / (llr / pairs.pairs() as f64);
        let told = test.pairs_to_go(&pairs).unwrap();
        assert!(told > 0.5 * straight && told < straight * 1.05, "{told} of {straight}");
    }

    #[test]
    fn nothing_is_said_without_a_trend_or_after_the_decision() {
        let test = test_of(SprtModel::Logistic);
        assert_eq!(test.pairs_to_go(&Pentanomial::new([1, 4, 6, 4, 1])), None);
        assert_eq!(test.pairs_to_go(&Pentanomial::new([0, 0, 90, 0, 0])), None);
        assert_eq!(test.pairs_to_go(&Pentanomial::new([0, 100, 3000, 4000, 900])), None);
    }

    proptest! {
        #[test]
        fn whatever_the_counts_the_rest_is_a_number_that_is_not_negative(
            counts in prop::array::uniform5(0u64..2000),
            logistic: bool,
        ) {
            let test = test_of(if logistic { SprtModel::Logistic } else { SprtModel::Normalized });
            if let Some(rest) = test.pairs_to_go(&Pentanomial::new(counts)) {
                prop_assert!(rest.is_finite() && rest >= 0.0, "{}", rest);
            }
        }

        #[test]
        fn the_two_sides_are_mirror_images(drift in -1.0..1.0, below in 0.01..6.0, above in 0.01..6.0) {
            let one = time_to_a_bound(drift, 0.01, below, above);
            let other = time_to_a_bound(-drift, 0.01, above, below);
            prop_assert!((one - other).abs() <= 1e-9 * one.abs());
        }
    }
}
