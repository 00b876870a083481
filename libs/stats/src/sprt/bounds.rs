//! The bounds of the ratio in a sequential test: Wald's, or curved ones.
//!
//! Wald's bounds are constant. They are optimal if the truth is one of the two hypotheses, but a difference between them takes
//! long, and one far beyond them longer than necessary. If the hypotheses are Δ standard deviations of an observation apart,
//! the information of N observations is t = N·Δ², and the ratio is nearly a Wiener process in this time, with drift −½ under
//! H0 and ½ under H1. Curved bounds accept H1 at √(2K·(t + c)) − t/2: there the results, together with information c without a
//! lead, are √(2K) standard errors from H0. The bound for H0 is the mirror image. These are the asymptotic bounds of tests
//! that are optimal for any difference (Schwarz, "Asymptotic Shapes of Bayes Sequential Testing Regions", 1962; Lai, "Nearly
//! Optimal Sequential Tests of Composite Hypotheses", 1988). The bounds meet, so a test has a maximum length.
//!
//! The exact optimum was computed by dynamic programming. If differences are normally distributed around the middle of the
//! hypotheses or below it, with a standard deviation of half to twice their distance, these bounds need at most 0.2 to 1% more
//! games than the best ones that have one c for all errors.

use super::llr_steps::LlrSteps;
use crate::{Llr, Observations, Sprt, SprtStatus};

/// The mean overshoot: by how many standard deviations of a step the ratio exceeds a bound when it is first seen beyond it
/// (Siegmund, "Sequential Analysis", 1985, section 10.2).
pub(super) const OVERSHOOT: f64 = 0.583;

/// The constant c: the information without a lead that is added to the information of the results.
const LEVEL: f64 = 0.4;

/// The bounds of the ratio after some number of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtBounds {
    /// At or below this ratio, H0 is accepted.
    pub lower: Llr,
    /// At or above this ratio, H1 is accepted.
    pub upper: Llr,
}

impl SprtBounds {
    fn new((lower, upper): (f64, f64)) -> SprtBounds {
        SprtBounds { lower: Llr::new(lower), upper: Llr::new(upper) }
    }

    /// The status of the test at this ratio.
    pub fn status(&self, llr: Llr) -> SprtStatus {
        if llr >= self.upper {
            SprtStatus::AcceptH1
        } else if llr <= self.lower {
            SprtStatus::AcceptH0
        } else {
            SprtStatus::Continue
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurvedBounds {
    /// √(2K) of the lower bound, and of the upper bound.
    below: f64,
    above: f64,
}

impl CurvedBounds {
    pub fn new(alpha: f64, beta: f64) -> CurvedBounds {
        let (upper, lower) = (((1.0 - beta) / alpha).ln(), ((1.0 - alpha) / beta).ln());
        // K of one bound, given the distances of Wald's bounds on its own and the other side. The formula is fitted to the
        // exact K for 16 by 16 values of alpha and beta from 0.4 to 1e-6; up to 0.1, errors are within 1.6% of the nominal
        // ones.
        let k = |own: f64, other: f64| {
            let fitted = 1.0301 * own + 0.3396 * (own + other).ln() - 0.5134 + 0.829 * (-2.0 * other).exp();
            // If either error is likely, the fit may be negative.
            fitted.max((own / (1.0 + own)).powi(2))
        };
        CurvedBounds { below: (2.0 * k(lower, upper)).sqrt(), above: (2.0 * k(upper, lower)).sqrt() }
    }

    /// The lower and upper bound at this information; after they have met, both are equal.
    pub fn at(&self, information: f64) -> (f64, f64) {
        let time = information.min(self.end());
        let bound = |errors: f64| errors * (time + LEVEL).sqrt() - time / 2.0;
        ordered(-bound(self.below), bound(self.above))
    }

    /// The information at which the bounds meet.
    pub fn end(&self) -> f64 {
        let square = (self.below + self.above).powi(2);
        f64::midpoint(square, (square * (square + 4.0 * LEVEL)).sqrt())
    }
}

fn ordered(lower: f64, upper: f64) -> (f64, f64) {
    if lower <= upper { (lower, upper) } else { (lower.midpoint(upper), lower.midpoint(upper)) }
}

impl Sprt {
    /// The bounds of the ratio after these results.
    pub fn bounds(&self, observations: &Observations) -> SprtBounds {
        let score = observations.score();
        let (count, games) = (score.observations() as f64, score.games_per_observation());
        // One more result, next to level, keeps results that are all equal from having infinite information.
        let variance =
            (count * score.variance_per_observation() + (0.5 / f64::from(games)).powi(2)) / (count + 1.0);
        let step = LlrSteps::new(self, games, (score.mean(), variance.sqrt())).deviation;
        SprtBounds::new(self.bounds_after(count, step))
    }

    pub(super) fn curved_bounds(&self) -> Option<CurvedBounds> {
        self.is_curved().then(|| CurvedBounds::new(self.alpha(), self.beta()))
    }

    /// The lower and upper bound after `observations`, each of which moves the ratio by a standard deviation of `step`.
    ///
    /// Curved bounds are moved inwards by the expected overshoot, so that the errors are the nominal ones.
    pub(super) fn bounds_after(&self, observations: f64, step: f64) -> (f64, f64) {
        let Some(curved) = self.curved_bounds() else {
            return (self.lower().value(), self.upper().value());
        };
        let (lower, upper) = curved.at(observations * step * step);
        let inwards = |bound: f64| bound - (OVERSHOOT * step).min(bound.abs() / 2.0).copysign(bound);
        ordered(inwards(lower), inwards(upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elo, Pentanomial, ResultShares, SprtCourse, SprtModel, SprtTest, Wdl};

    fn curved(elo0: f64, elo1: f64, (alpha, beta): (f64, f64), model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, alpha, beta, model).unwrap().with_test(SprtTest::Curved)
    }

    /// Sixteen lost games once led to H1: one bound was far on the other's side when they met.
    #[test]
    fn errors_that_nobody_has_fitted_have_walds_bounds() {
        let test = curved(0.0, 200.0, (0.025, 1e-20), SprtModel::Logistic);
        let lost = Observations::Pairs(Pentanomial::new([8, 0, 0, 0, 0]));
        assert!(!test.is_curved() && test.bounds(&lost).upper.value() > 0.0);
        assert_eq!(test.bounds(&lost).status(lost.llr(&test)), SprtStatus::Continue);
        let least = curved(0.0, 200.0, (0.025, 1e-6), SprtModel::Logistic);
        assert!(least.is_curved());
    }

    fn course(test: &Sprt, nelo: f64) -> SprtCourse {
        let shares = ResultShares::assumed(nelo, SprtModel::Normalized, 0.6, Elo::new(0.0));
        SprtCourse::new(test, &shares).unwrap()
    }

    #[test]
    fn errors_are_the_promised_ones() {
        for (alpha, beta) in [
            (0.05, 0.05),
            (0.05, 0.1),
            (0.1, 0.05),
            (0.01, 0.05),
            (0.05, 0.01),
            (0.01, 0.01),
            (0.1, 0.1),
            (0.2, 0.2),
        ] {
            let test = curved(0.0, 5.0, (alpha, beta), SprtModel::Normalized);
            let (h1, h0) = (course(&test, 0.0).h1_probability(), 1.0 - course(&test, 5.0).h1_probability());
            assert!((h1 / alpha - 1.0).abs() < 0.03 && (h0 / beta - 1.0).abs() < 0.03, "{h1} {h0}");
        }
    }

    /// The guide's table: games relative to Wald's bounds.
    #[test]
    fn whatever_the_difference_it_costs_little_more_and_mostly_less() {
        let test = curved(0.0, 5.0, (0.05, 0.05), SprtModel::Normalized);
        for (nelo, expected) in [
            (-20.0, 0.71),
            (-10.0, 0.81),
            (-5.0, 0.92),
            (-2.5, 0.99),
            (0.0, 1.02),
            (1.25, 0.99),
            (2.5, 0.96),
            (5.0, 1.02),
            (25.0, 0.71),
        ] {
            let wald = course(&test.with_test(SprtTest::Wald), nelo).mean_games();
            let ratio = course(&test, nelo).mean_games() / wald;
            assert!((ratio - expected).abs() < 0.01, "{nelo}: {ratio}");
        }
    }

    #[test]
    fn they_meet_and_then_there_is_a_verdict_and_walds_never_do() {
        let pairs = Observations::Pairs(Pentanomial::new([0, 20_000, 60_000, 20_000, 0]));
        let test = curved(-2.5, 2.5, (0.05, 0.05), SprtModel::Normalized);
        let bounds = test.bounds(&pairs);
        assert_eq!(bounds.lower, bounds.upper);
        assert_eq!(bounds.status(pairs.llr(&test)), SprtStatus::AcceptH1);
        assert_eq!(bounds.status(Llr::new(-0.1)), SprtStatus::AcceptH0);
        let wald = test.with_test(SprtTest::Wald).bounds(&pairs);
        assert_eq!((wald.lower, wald.upper), (test.lower(), test.upper()));
    }

    /// The spread of such results is unknown, and a few games do not decide a test of small differences.
    #[test]
    fn a_few_results_that_are_all_alike_decide_nothing() {
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            let test = curved(0.0, 5.0, (0.05, 0.05), model);
            for count in [0, 1, 3, 10, 60] {
                for seen in [
                    Observations::Games(Wdl::new(0, count, 0)),
                    Observations::Pairs(Pentanomial::new([0, 0, count, 0, 0])),
                ] {
                    assert_eq!(test.bounds(&seen).status(seen.llr(&test)), SprtStatus::Continue, "{seen:?}");
                }
            }
        }
    }

    #[test]
    fn the_two_sides_are_mirror_images() {
        let seen = Observations::Pairs(Pentanomial::new([3, 90, 400, 110, 4]));
        let one = curved(0.0, 8.0, (0.02, 0.1), SprtModel::Logistic).bounds(&seen);
        let other = curved(-8.0, 0.0, (0.1, 0.02), SprtModel::Logistic).bounds(&seen.reversed());
        assert!((one.lower.value() + other.upper.value()).abs() < 1e-12);
        assert!((one.upper.value() + other.lower.value()).abs() < 1e-12);
    }
}
