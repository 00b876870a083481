//! The course of a sequential test at a known difference, computed without simulation.

use std::f64::consts::PI;

use super::bounds::{CurvedBounds, OVERSHOOT};
use super::first_passage::{Boundary, Stopped};
use super::llr_steps::LlrSteps;
use crate::{ResultShares, Sprt, SprtForecast};

/// Terms of a series with an exponent below this count as 0.
const NEGLIGIBLE: f64 = -40.0;

/// The maximum number of terms of a series. Only the first games need this many, and nothing is decided there.
const MOST_TERMS: u32 = 2000;

/// A process is at most this many standard deviations from its mean.
const DEVIATIONS: f64 = 6.0;

/// How a sequential test is likely to end, and when, for one true distribution of results.
///
/// The log-likelihood ratio is treated as a Brownian motion that is stopped at two bounds, which are moved outwards by
/// the expected overshoot. This is exact in the limit of close hypotheses; for bounds 5 and 50 normalized Elo apart, the
/// mean, median and 95% quantile of the length are within 2% of 4,000 and 20,000 simulated tests. Curved bounds have no
/// closed solution, so the distribution is computed step by step. [`SprtForecast`] simulates the exact test, which takes
/// seconds rather than microseconds (straight bounds) or a millisecond (curved ones).
///
/// ```
/// use stats::{Elo, ResultShares, Sprt, SprtCourse, SprtModel::Normalized};
///
/// let equal = ResultShares::assumed(0.0, Normalized, 0.6, Elo::new(0.0));
/// let course = SprtCourse::new(&Sprt::new(0.0, 5.0, 0.05, 0.05, Normalized)?, &equal);
/// assert!((course.expect("several results").h1_probability() - 0.05).abs() < 0.01);
/// # Ok::<(), stats::InvalidSprt>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SprtCourse {
    games_per_observation: u64,
    motion: Motion,
}

#[derive(Clone, Debug, PartialEq)]
enum Motion {
    Straight(Straight),
    /// The mean number of observations, and the probabilities of having stopped by each number of observations.
    Curved(f64, Vec<Stopped>),
}

/// A motion between constant bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Straight {
    /// The mean and the variance of the step that an observation adds to the ratio.
    pub drift: f64,
    pub variance: f64,
    /// The distances of the lower and the upper bound from the start.
    pub below: f64,
    pub above: f64,
}

impl SprtCourse {
    /// The course of `test` if results are distributed as `shares`; `None` if only one result is possible.
    pub fn new(test: &Sprt, shares: &ResultShares) -> Option<SprtCourse> {
        let (games_per_observation, moments) = shares.moments();
        let steps = LlrSteps::new(test, games_per_observation, moments);
        let variance = steps.variance()?;
        let overshoot = OVERSHOOT * steps.deviation;
        let motion = test.curved_bounds().map_or_else(
            || {
                let (below, above) = (overshoot - test.lower().value(), overshoot + test.upper().value());
                Motion::Straight(Straight { drift: steps.mean, variance, below, above })
            },
            |bounds| curved(&bounds, steps.mean / variance, variance),
        );
        Some(SprtCourse { games_per_observation: games_per_observation.into(), motion })
    }

    /// The probability that the test finally accepts H1 (Wald, "Sequential Tests of Statistical Hypotheses", 1945).
    pub fn h1_probability(&self) -> f64 {
        match &self.motion {
            Motion::Straight(motion) => motion.h1_probability(),
            Motion::Curved(_, stopped) => stopped[stopped.len() - 1].above,
        }
    }

    /// The mean number of games until the decision.
    pub fn mean_games(&self) -> f64 {
        let observations = match &self.motion {
            Motion::Straight(motion) => motion.mean_time(),
            Motion::Curved(mean, _) => *mean,
        };
        self.games_per_observation as f64 * observations
    }

    /// The probability that H1 is accepted within this many games.
    pub fn h1_within(&self, games: u64) -> f64 {
        self.stopped_within(games).above
    }

    /// The probability of a decision within this many games.
    pub fn decided_within(&self, games: u64) -> f64 {
        let Stopped { below, above, .. } = self.stopped_within(games);
        (below + above).min(1.0)
    }

    pub(super) fn stopped_within(&self, games: u64) -> Stopped {
        let time = (games / self.games_per_observation) as f64;
        match &self.motion {
            Motion::Straight(motion) => motion.stopped_by(time),
            Motion::Curved(_, course) => stopped_by(time, course),
        }
    }

    /// The number of games after which a decision has been made with this probability, which must be below 1. At most
    /// [`SprtForecast::MAX_GAMES`] squared, so that there always is an answer.
    pub fn games_to_decide(&self, probability: f64) -> u64 {
        let (mut low, mut high) = (0, SprtForecast::MAX_GAMES * SprtForecast::MAX_GAMES);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.decided_within(middle) < probability { low = middle } else { high = middle }
        }
        high
    }
}

/// The course between curved bounds, given the drift and the information per observation.
fn curved(bounds: &CurvedBounds, drift: f64, information: f64) -> Motion {
    // With a large drift, all is over long before the bounds meet: after the longest way plus six standard deviations.
    let (end, size) = (bounds.end(), drift.abs());
    let longest = (0..=100).map(|part| bounds.at(end * f64::from(part) / 100.0));
    let longest = longest.map(|(lower, upper)| upper.max(-lower)).fold(0.0, f64::max);
    let over =
        ((DEVIATIONS + (DEVIATIONS * DEVIATIONS + 4.0 * size * longest).sqrt()) / (2.0 * size)).powi(2);
    let end = end.min(over);
    let Some(boundary) = Boundary::new(|time| bounds.at(time), end, size) else {
        let (below, above) = if drift > 0.0 { (0.0, 1.0) } else { (1.0, 0.0) };
        return Motion::Curved(1.0, vec![Stopped { time: 1.0, below, above }]);
    };
    let mut passage = boundary.passage(drift);
    let mean = passage.mean_time() / information;
    let (lower, upper) = bounds.at(end);
    let above = passage.above + passage.inside_above(lower.midpoint(upper));
    passage.course.push(Stopped { time: end, below: 1.0 - above, above });
    let per_observation = |stopped: Stopped| Stopped { time: stopped.time / information, ..stopped };
    Motion::Curved(mean, passage.course.into_iter().map(per_observation).collect())
}

fn stopped_by(time: f64, course: &[Stopped]) -> Stopped {
    let later = course.partition_point(|stopped| stopped.time <= time);
    let none = Stopped { time: 0.0, below: 0.0, above: 0.0 };
    let before = later.checked_sub(1).map_or(none, |before| course[before]);
    let Some(later) = course.get(later) else { return before };
    let part = (time - before.time) / (later.time - before.time);
    let between = |one: f64, next: f64| one + part * (next - one);
    Stopped { time, below: between(before.below, later.below), above: between(before.above, later.above) }
}

impl Straight {
    fn h1_probability(&self) -> f64 {
        let Straight { drift, variance, below, above } = *self;
        if self.is_without_drift() {
            return below / (below + above);
        }
        let steepness = 2.0 * drift.abs() / variance;
        let ahead = if drift > 0.0 { below } else { above };
        let reaches_the_one_ahead = (-steepness * ahead).exp_m1() / (-steepness * (below + above)).exp_m1();
        if drift > 0.0 { reaches_the_one_ahead } else { 1.0 - reaches_the_one_ahead }
    }

    /// The mean time until it is at a bound.
    pub fn mean_time(&self) -> f64 {
        let Straight { drift, variance, below, above } = *self;
        if self.is_without_drift() {
            return below * above / variance;
        }
        (self.h1_probability() * (below + above) - below) / drift
    }

    /// Whether the formulas with drift are 0/0, so that their limits hold.
    fn is_without_drift(&self) -> bool {
        2.0 * self.drift.abs() / self.variance * (self.below + self.above) < 1e-6
    }

    fn stopped_by(&self, time: f64) -> Stopped {
        let h1 = self.h1_probability();
        let below = self.reaches(1.0 - h1, -self.drift, self.below, time);
        Stopped { time, below, above: self.reaches(h1, self.drift, self.above, time) }
    }

    /// The probability that a bound is reached within this time and before the other bound. The bound is `distance` away,
    /// and is finally reached with probability `at_last`. A series for the first-passage time between two bounds (Darling
    /// and Siegert, "The First Passage Problem for a Continuous Markov Process", 1953; the eigenvalues are those of the
    /// interval).
    fn reaches(&self, at_last: f64, drift: f64, distance: f64, time: f64) -> f64 {
        let (variance, width) = (self.variance, self.below + self.above);
        let by_drift = drift * drift / (2.0 * variance);
        let by_width = (PI / width).powi(2) * variance / 2.0;
        let mut later = 0.0;
        for term in 1..=MOST_TERMS {
            let n = f64::from(term);
            let rate = by_drift + n * n * by_width;
            let exponent = drift * distance / variance - rate * time;
            if exponent < NEGLIGIBLE {
                break;
            }
            // sin(nπ(1 − d/w)) = −(−1)ⁿ·sin(nπd/w), which gives the terms these signs.
            later += n * (n * PI * distance / width).sin() * exponent.exp() / rate;
        }
        (at_last - PI * variance / (width * width) * later).clamp(0.0, at_last)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Elo, Observations, SprtModel, SprtTest, Wdl};

    fn test_of(elo1: f64, alpha: f64, beta: f64) -> Sprt {
        Sprt::new(0.0, elo1, alpha, beta, SprtModel::Normalized).unwrap()
    }

    fn shares(elo: f64) -> ResultShares {
        ResultShares::assumed(elo, SprtModel::Normalized, 0.5, Elo::new(60.0))
    }

    fn course(test: &Sprt, elo: f64) -> SprtCourse {
        SprtCourse::new(test, &shares(elo)).unwrap()
    }

    /// Wald's expected sample size at the hypotheses, without overshoot: with β = α, it is (1 − 2α)·ln((1 − α)/α) divided
    /// by half the squared distance. For [0, 5] and 5% that is 0.9·2.944·2 / (5/347.4)² = 25,589 games.
    #[test]
    fn the_mean_length_at_the_hypotheses_is_walds() {
        let test = test_of(5.0, 0.05, 0.05);
        for truth in [0.0, 5.0] {
            let mean = course(&test, truth).mean_games();
            assert!((mean / 25_589.0 - 1.0).abs() < 0.02, "{truth}: {mean}");
        }
    }

    #[test]
    fn errors_are_the_promised_ones_and_without_a_spread_there_is_no_course() {
        let test = test_of(3.0, 0.05, 0.10);
        assert!((course(&test, 0.0).h1_probability() - 0.05).abs() < 0.003);
        assert!((course(&test, 3.0).h1_probability() - 0.90).abs() < 0.003);
        let even = course(&test_of(3.0, 0.05, 0.05), 1.5);
        assert!((even.h1_probability() - 0.5).abs() < 1e-3, "{}", even.h1_probability());
        let drawn = ResultShares::Games([0.0, 1.0, 0.0]);
        let logistic = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
        assert_eq!(SprtCourse::new(&logistic, &drawn), None);
    }

    /// Also checks that the errors are the nominal ones.
    #[test]
    #[ignore = "simulates for seconds; .ci/nightly runs it"]
    fn simulated_tests_end_as_foretold() {
        use SprtModel::{Logistic, Normalized};
        let drawish = Observations::Games(Wdl::new(20, 60, 20));
        let single = |elo, model| ResultShares::tilted(&drawish, elo, model).unwrap();
        let biased = |elo, model| ResultShares::assumed(elo, model, 0.4, Elo::new(120.0));
        for (elo1, truth, model, of) in [
            (20.0, 0.0, Normalized, &biased as &dyn Fn(f64, SprtModel) -> ResultShares),
            (20.0, 12.0, Normalized, &biased),
            (12.0, 0.0, Logistic, &biased),
            (40.0, 40.0, Normalized, &biased),
            (30.0, 15.0, Normalized, &single),
            (30.0, -20.0, Normalized, &single),
            (20.0, 20.0, Logistic, &single),
        ] {
            for bounds in [SprtTest::Wald, SprtTest::Curved] {
                let (shares, tests) = (of(truth, model), 500);
                let test = Sprt::new(0.0, elo1, 0.05, 0.1, model).unwrap().with_test(bounds);
                let simulated = SprtForecast::new(&test, &shares, tests, 3);
                let course = SprtCourse::new(&test, &shares).unwrap();
                let near = |one: f64, other: f64, what: &str| {
                    assert!(
                        (one / other - 1.0).abs() < 0.12,
                        "{bounds:?} [0, {elo1}] at {truth}, {what}: {one} and {other}"
                    );
                };
                near(course.mean_games(), simulated.mean_games.unwrap(), "mean");
                near(course.games_to_decide(0.5) as f64, simulated.median_games.unwrap() as f64, "median");
                near(course.games_to_decide(0.95) as f64, simulated.most_games.unwrap() as f64, "95%");
                let (h1, passes) = (course.h1_probability(), f64::from(simulated.accepted_h1));
                // Three standard deviations of the simulation.
                let allowed = 3.0 * (h1 * (1.0 - h1) / f64::from(tests)).sqrt() + 0.005;
                let error = (passes / f64::from(tests) - h1).abs();
                assert!(error < allowed, "{bounds:?} [0, {elo1}] at {truth}: {passes} and {h1}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_is_decided_grows_with_the_games_to_what_is_decided_in_the_end(
            elo1 in 1.0..80.0f64, truth in -60.0..120.0f64, alpha in 0.01..0.3f64, beta in 0.01..0.3f64,
            games in 2u64..200_000, curved: bool,
        ) {
            let bounds = if curved { SprtTest::Curved } else { SprtTest::Wald };
            let course = course(&test_of(elo1, alpha, beta).with_test(bounds), truth);
            let (some, more) = (course.decided_within(games), course.decided_within(2 * games));
            prop_assert!(some <= more + 1e-9 && more <= 1.0, "{} {}", some, more);
            prop_assert!(course.h1_within(games) <= course.h1_probability() + 1e-9);
            prop_assert!(course.decided_within(u64::MAX / 4) > 1.0 - 1e-9);
            prop_assert!(course.mean_games() > 0.0);
            let half = course.games_to_decide(0.5);
            prop_assert!(course.decided_within(half) >= 0.5 && course.decided_within(half - 1) < 0.5);
        }
    }
}
