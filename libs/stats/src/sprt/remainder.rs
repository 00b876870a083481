//! The expected remaining length of a sequential test, and its chance of H1 within the pairs that are left.

use super::course::Straight;
use super::first_passage::Boundary;
use super::llr_steps::LlrSteps;
use crate::normal;
use crate::{Observations, Pentanomial, Score, Sprt, SprtStatus};

/// The minimum number of pairs for an estimate: before, the trend of the LLR is due to chance.
const FEWEST_PAIRS: u64 = 20;

impl Sprt {
    /// The expected number of further opening pairs if the true difference is the one seen so far.
    ///
    /// Between its bounds the log-likelihood ratio is treated as a Brownian motion with the drift of the pairs played. For
    /// straight bounds the formula is the mean time to either (Karlin and Taylor, "A Second Course in Stochastic Processes",
    /// 1981, section 15.3). `None` if the test has decided, or if pairs are too few or all equal and so show no trend.
    pub fn pairs_to_go(&self, pairs: &Pentanomial) -> Option<f64> {
        let observations = Observations::Pairs(*pairs);
        let (llr, score, bounds) = (observations.llr(self), pairs.score(), self.bounds(&observations));
        if score.observations() < FEWEST_PAIRS || bounds.status(llr) != SprtStatus::Continue {
            return None;
        }
        let variance = self.variance_of_steps(&score)?;
        let played = score.observations() as f64;
        let (llr, drift) = (llr.value(), llr.value() / played);
        let Some(curved) = self.curved_bounds() else {
            let (below, above) = (llr - bounds.lower.value(), bounds.upper.value() - llr);
            return Some(Straight { drift, variance, below, above }.mean_time());
        };
        let now = played * variance;
        let later = |time: f64| {
            let (lower, upper) = curved.at(now + time);
            (lower - llr, upper - llr)
        };
        let drift = drift / variance;
        // `None` if the test is so near a bound that the next pair may reach it.
        let boundary = Boundary::new(later, curved.end() - now, drift.abs());
        Some(boundary.map_or(0.0, |boundary| boundary.passage(drift).mean_time() / variance))
    }

    /// The probability that `left` further opening pairs take the test to H1 if H1 is true.
    ///
    /// The log-likelihood ratio is treated as a Brownian motion, whose drift under H1 is half its variance; the formula is
    /// its probability of reaching a level in a given time (Borodin and Salminen, "Handbook of Brownian Motion", 2002, part
    /// II, 2.1.1.4). A test that stops once this is below γ accepts H1 less often by less than γ if H1 is true, and no more
    /// often if H0 is (stochastic curtailment: Lan, Simon and Halperin, 1982). The lower bound is ignored, and a curved
    /// upper bound is replaced by its chord, which is below it, so the probability is never too small. `None` with fewer
    /// than 20 pairs, or if all are equal.
    pub fn chance_of_h1(&self, pairs: &Pentanomial, left: u64) -> Option<f64> {
        let score = pairs.score();
        if score.observations() < FEWEST_PAIRS {
            return None;
        }
        let way = self.way_to_h1(score.observations() as f64, left as f64, self.variance_of_steps(&score)?);
        Some(way.chance(self.llr_of_pairs(pairs).value()))
    }

    /// The upper bound during the observations that are left; `variance` is the variance of an observation's step of the
    /// ratio.
    pub(super) fn way_to_h1(&self, played: f64, left: f64, variance: f64) -> WayToH1 {
        let (_, from) = self.bounds_after(played, variance.sqrt());
        let end = self.curved_bounds().map_or(f64::INFINITY, |curved| curved.end() / variance);
        let steps = left.min((end - played).max(0.0));
        let (_, to) = self.bounds_after(played + steps, variance.sqrt());
        let slope = if steps > 0.0 { (to - from) / steps } else { 0.0 };
        WayToH1 { from, slope, steps, variance }
    }

    fn variance_of_steps(&self, score: &Score) -> Option<f64> {
        let moments = (score.mean(), score.variance_per_observation().sqrt());
        LlrSteps::new(self, score.games_per_observation(), moments).variance()
    }
}

/// The upper bound from now to the end of the games, approximated by a straight line.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayToH1 {
    pub from: f64,
    slope: f64,
    steps: f64,
    variance: f64,
}

impl WayToH1 {
    /// The probability that a ratio with this variance per step, and half of it as drift, reaches the line.
    pub fn chance(&self, llr: f64) -> f64 {
        let WayToH1 { from, slope, steps, variance } = *self;
        let above = from - llr;
        if above <= 0.0 {
            return 1.0;
        }
        let nearer = 0.5 - slope / variance;
        let (drift, spread) = (nearer * variance * steps, (variance * steps).sqrt());
        if spread <= 0.0 {
            return 0.0;
        }
        let beyond = normal::cumulative((drift - above) / spread);
        (beyond + (2.0 * nearer * above).exp() * normal::cumulative((-drift - above) / spread)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{SprtModel, SprtTest};

    fn test_of(model: SprtModel) -> Sprt {
        Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn the_chance_is_that_of_walks_that_were_walked() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        for (from, slope, steps) in [
            (0.5, 0.0, 400),
            (1.5, 0.0, 900),
            (3.0, 0.0, 1200),
            (2.0, 0.0, 4000),
            (1.0, -2e-4, 900),
            (1.0, 1e-3, 900),
        ] {
            let (step, walks) = (0.04_f64, 2000);
            let drift = step * step / 2.0;
            let mut arrives = || {
                let mut at = 0.0;
                (0..steps).any(|number| {
                    at += drift + if rng.random::<bool>() { step } else { -step };
                    at >= from + slope * f64::from(number)
                })
            };
            let share = (0..walks).filter(|_| arrives()).count() as f64 / f64::from(walks);
            let way = WayToH1 { from, slope, steps: f64::from(steps), variance: step * step };
            let expected = way.chance(0.0);
            assert!((share - expected).abs() < 0.03, "{from} in {steps}: {share} and {expected}");
        }
    }

    #[test]
    fn the_chance_falls_with_the_pairs_that_are_left() {
        for bounds in [SprtTest::Wald, SprtTest::Curved] {
            let test = test_of(SprtModel::Normalized).with_test(bounds);
            let pairs = Pentanomial::new([20, 170, 320, 160, 20]);
            let chances =
                [100_000, 10_000, 5000, 1000, 0].map(|left| test.chance_of_h1(&pairs, left).unwrap());
            assert!(chances.is_sorted_by(|one, next| one > next), "{chances:?}");
            assert!(chances[0] > 0.9 && chances[4] <= 0.0, "{chances:?}");
            assert_eq!(test.chance_of_h1(&Pentanomial::new([1, 4, 6, 4, 1]), 100), None);
            let won = Pentanomial::new([0, 100, 3000, 4000, 900]);
            assert!(test.chance_of_h1(&won, 0).unwrap() >= 1.0);
        }
    }

    /// Half-way through the longest test without a lead, most of the remaining way is covered by the bounds, which meet.
    #[test]
    fn curved_bounds_come_nearer_while_a_test_goes_on() {
        let pairs = Pentanomial::new([0, 5000, 15_000, 5000, 0]);
        let of = |bounds| {
            let test = Sprt::new(-2.5, 2.5, 0.05, 0.05, SprtModel::Normalized).unwrap().with_test(bounds);
            test.pairs_to_go(&pairs).unwrap()
        };
        let (straight, curved) = (of(SprtTest::Wald), of(SprtTest::Curved));
        assert!(curved < 0.8 * straight, "{curved} {straight}");
    }

    #[test]
    fn a_clear_trend_takes_as_long_as_the_rest_of_the_way_and_without_one_nothing_is_said() {
        let pairs = Pentanomial::new([10, 100, 300, 170, 30]);
        let test = test_of(SprtModel::Normalized);
        let llr = test.llr_of_pairs(&pairs).value();
        let straight = (test.upper().value() - llr) / (llr / pairs.pairs() as f64);
        let told = test.pairs_to_go(&pairs).unwrap();
        assert!(told > 0.5 * straight && told < straight * 1.05, "{told} of {straight}");
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
            curved: bool,
        ) {
            let test = test_of(if logistic { SprtModel::Logistic } else { SprtModel::Normalized });
            let test = test.with_test(if curved { SprtTest::Curved } else { SprtTest::Wald });
            if let Some(rest) = test.pairs_to_go(&Pentanomial::new(counts)) {
                prop_assert!(rest.is_finite() && rest >= 0.0, "{}", rest);
            }
        }
    }
}
