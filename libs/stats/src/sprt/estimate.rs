//! The difference after a sequential test: a median-unbiased estimate and its 95% interval.
//!
//! A test stops when the results are farther from their expectation than usual, so the estimate for a match of fixed length is
//! too far from 0, and its interval contains the truth too rarely. Instead, the possible ends of a test are ordered: H1 in few
//! games is first, then H1 in many, no verdict (by score), H0 in many games, and last H0 in few (stagewise ordering: Armitage
//! 1957, Siegmund, "Estimation following sequential tests", 1978, and "Sequential Analysis", 1985, chapters III and IV;
//! Tsiatis, Rosner and Mehta, "Exact confidence intervals following a group sequential test", 1984). An end at least as good as
//! the one seen is more likely the greater the difference. The estimate is the difference at which its probability is one half;
//! the ends of the interval have 2.5% and 97.5%. fishtest does this for tests with straight bounds, by Van den Bergh's formulas
//! (its `stats/sprt.py`).
//!
//! The sum of the results is treated as a Wiener process in the time of their information, the inverse square of the standard
//! error. The bounds are the test's bounds for this sum, of any shape, moved outwards by the expected overshoot, since the test
//! only looks after each pair.

use super::bounds::OVERSHOOT;
use super::first_passage::Boundary;
use crate::normal::Z_95;
use crate::root::root;
use crate::{
    Elo, EloEstimate, Llr, NormalizedElo, NormalizedEloEstimate, Observations, Score, Sprt, SprtBounds,
    SprtModel, SprtStatus,
};

/// Median-unbiased estimates after a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct SprtEstimate {
    /// The Elo difference.
    pub elo: EloEstimate,
    /// The normalized Elo difference.
    pub normalized_elo: NormalizedEloEstimate,
}

impl SprtEstimate {
    /// The estimates from the second engine's point of view.
    #[must_use]
    pub fn reversed(&self) -> SprtEstimate {
        let NormalizedEloEstimate { nelo, lower, upper } = self.normalized_elo;
        SprtEstimate {
            elo: -self.elo,
            normalized_elo: NormalizedEloEstimate { nelo: -nelo, lower: -upper, upper: -lower },
        }
    }
}

/// The rule by which a test is given up before it has used up its pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SprtFutility {
    /// The [chance of H1](Sprt::chance_of_h1) below which the test is given up.
    pub chance: f64,
    /// The maximum number of pairs of the test.
    pub pairs: u64,
    /// Whether the test was given up.
    pub gave_up: bool,
}

/// For the lower end of the interval, the estimate and the upper end: the probability of a better end at the difference, and
/// the difference in a match of fixed length, in standard errors.
const QUANTILES: [(f64, f64); 3] = [(0.025, -Z_95), (0.5, 0.0), (0.975, Z_95)];

/// Results farther than this from the middle of the hypotheses, in standard errors, are not from a sensible test.
const FARTHEST_LEAD: f64 = 1000.0;

/// How far a difference is searched for, in standard errors from the estimate at fixed length.
const FARTHEST: f64 = 8.0;

/// How far a test that stopped at a bound may be beyond it: a share of the distance of the bounds, since results may come in
/// batches, or this many standard deviations of a step, for bounds far apart.
const FARTHEST_BEYOND: f64 = 0.2;
const LONGEST_STEP: f64 = 5.0;

/// A lead of more than 2 to this power times an observation's spread is out of reach.
const DOUBLINGS: i32 = 30;

/// The maximum number of differences tried for each quantile, and the tolerance of the probability's logit.
const TRIES: u32 = 12;
const NEAR: f64 = 1e-3;

impl Sprt {
    /// The estimates after this test ended with these results: decided, given up, or out of games. A test that still runs is
    /// treated as if its games ended here.
    ///
    /// `None` if all observations are equal, so that their spread is unknown; if the ratio is so far beyond a bound that this
    /// test cannot have ended these games; or if there is nothing to correct, because the results are too few for the test to
    /// stop or the difference is very large. Then use the estimates for a match of fixed length.
    pub fn estimate(
        &self,
        observations: &Observations,
        futility: Option<SprtFutility>,
    ) -> Option<SprtEstimate> {
        let score = observations.score();
        if score.is_uniform() {
            return None;
        }
        let course = Course::new(self, observations, &score, futility);
        let errors = if course.went_on() { None } else { course.quantiles() }?;
        let [lower, elo, upper] =
            errors.map(|errors| Elo::from_score(at(errors, score.mean(), score.interval())));
        let elo = EloEstimate { elo, lower, upper };
        let [lower, nelo, upper] = errors
            .map(|errors| NormalizedElo::from_t_value(at(errors, score.t_value(), score.t_value_interval())));
        Some(SprtEstimate { elo, normalized_elo: NormalizedEloEstimate { nelo, lower, upper } })
    }

    /// A difference in Elo as the mean score or the t-value of such observations.
    fn claim(&self, elo: f64, observations: &Observations) -> f64 {
        match observations {
            Observations::Games(games) if self.is_in_bayes_elo() => {
                let [_, draw, win] = self.bayes_elo_shares(&self.bayes_elo_counts(games), elo);
                win + draw / 2.0
            }
            Observations::Games(_) => self.model().hypothesis(elo, 1),
            Observations::Pairs(_) => self.model().hypothesis(elo, 2),
        }
    }
}

/// The value this many standard errors from an estimate, given its 95% interval.
fn at(errors: f64, estimate: f64, (lower, upper): (f64, f64)) -> f64 {
    match errors / Z_95 {
        side if side < 0.0 => estimate + side * (estimate - lower),
        side if side > 0.0 => estimate + side * (upper - estimate),
        _ => estimate,
    }
}

/// A test on the scale of its hypotheses, mean scores or t-values, where 0 is the middle between the two.
struct Course<'a> {
    test: &'a Sprt,
    observations: &'a Observations,
    total: f64,
    futility: Option<SprtFutility>,
    middle: f64,
    /// The variance of an observation.
    unit: f64,
    /// The lead of the results on this scale, and its standard error.
    lead: f64,
    error: f64,
    llr: Llr,
    bounds: SprtBounds,
    /// The exact ratio at the end divided by the ratio by the formula, applied to the bounds of the whole test: far from the
    /// hypotheses, the formula is off by the same factor at a bound as at the end.
    exactness: f64,
}

impl Course<'_> {
    fn new<'a>(
        test: &'a Sprt,
        observations: &'a Observations,
        score: &Score,
        futility: Option<SprtFutility>,
    ) -> Course<'a> {
        let games = f64::from(score.games_per_observation()).sqrt();
        let (centre, unit) = test.model().centre(score.mean(), score.variance_per_observation());
        let error = match test.model() {
            SprtModel::Logistic | SprtModel::Bayesian => score.standard_error(),
            SprtModel::Normalized => score.t_value_error() * games,
        };
        let middle = test.claim(test.elo0(), observations).midpoint(test.claim(test.elo1(), observations));
        let total = score.observations() as f64;
        let (llr, bounds) = (observations.llr(test), test.bounds(observations));
        let exactness = 1.0;
        let lead = centre - middle;
        let course =
            Course { test, observations, total, futility, middle, unit, lead, error, llr, bounds, exactness };
        let near = course.near_ratio(lead, total);
        // Between the bounds both may be near 0, which makes their quotient meaningless.
        let is_far = bounds.status(llr) != SprtStatus::Continue && near * llr.value() > 0.0;
        let exactness = if is_far { (llr.value() / near).clamp(0.5, 2.0) } else { exactness };
        Course { exactness, ..course }
    }

    fn went_on(&self) -> bool {
        let [llr, lower, upper] = [self.llr, self.bounds.lower, self.bounds.upper].map(Llr::value);
        let beyond = (llr - upper).max(lower - llr);
        beyond
            > (FARTHEST_BEYOND * (self.test.upper().value() - self.test.lower().value()))
                .max(LONGEST_STEP * self.step())
    }

    /// The standard deviation of the step that an observation adds to the ratio of two differences.
    fn step(&self) -> f64 {
        let [h0, h1] =
            [self.test.elo0(), self.test.elo1()].map(|elo| self.test.claim(elo, self.observations));
        (h1 - h0) / self.unit.sqrt()
    }

    /// How many standard errors the lower end, the estimate and the upper end differ from the estimate for a match of fixed
    /// length.
    fn quantiles(&self) -> Option<[f64; 3]> {
        if self.lead.abs() > FARTHEST_LEAD * self.error {
            return None;
        }
        let (end, steepest) = (self.error.powi(-2), self.lead.abs() + Z_95 * self.error);
        let boundary = Boundary::new(|time| self.bounds_of_sum(time, end), end, steepest)?;
        let status = self.bounds.status(self.llr);
        let gave_up = self.futility.is_some_and(|futility| futility.gave_up);
        // The probability of an end at least as good as this test's.
        let of_better = |errors: f64| {
            let passage = boundary.passage(self.lead + errors * self.error);
            match status {
                SprtStatus::AcceptH1 => passage.above,
                SprtStatus::Continue if !gave_up => passage.above + passage.inside_above(self.lead * end),
                SprtStatus::AcceptH0 | SprtStatus::Continue => 1.0 - passage.below,
            }
        };
        let places = QUANTILES.map(|(probability, errors)| place_of(probability, errors, of_better));
        let [lower, middle, upper] = places;
        places.iter().all(|place| place.is_finite()).then_some([lower.min(middle), middle, upper.max(middle)])
    }

    /// The bounds of the sum of the results, weighted by information, when this much information has been collected.
    fn bounds_of_sum(&self, information: f64, end: f64) -> (f64, f64) {
        let observations = self.total * information / end;
        let (mut lower, upper) = self.test.bounds_after(observations, self.step());
        if let Some(futility) = self.futility {
            lower = lower.max(self.given_up_at(futility, observations));
        }
        let overshoot = OVERSHOOT * (end / self.total).sqrt();
        let bound =
            |ratio: f64, side: f64| information * self.lead_at(ratio, observations) + side * overshoot;
        (bound(lower, -1.0), bound(upper, 1.0))
    }

    /// The ratio of this many observations with this lead, if it is near the hypotheses: the divergence is half the squared
    /// distance in standard deviations.
    fn near_ratio(&self, lead: f64, observations: f64) -> f64 {
        let divergence = |elo| {
            let apart = self.middle + lead - self.test.claim(elo, self.observations);
            apart * apart / (2.0 * self.unit)
        };
        self.test.ratio(observations, divergence)
    }

    /// The lead at which this many observations have this ratio.
    fn lead_at(&self, ratio: f64, observations: f64) -> f64 {
        let ratio = ratio / self.exactness;
        let missing = |lead: f64| self.near_ratio(lead, observations) - ratio;
        let farthest = (0..DOUBLINGS).map(|doubling| self.unit.sqrt().copysign(ratio) * 2f64.powi(doubling));
        let beyond = farthest.into_iter().find(|&lead| missing(lead) * ratio >= 0.0);
        beyond.map_or(f64::INFINITY.copysign(ratio), |beyond| root(missing, (0.0, beyond), 1e-9))
    }

    /// The ratio below which the test is given up after this many pairs. (That the first pairs never lead to this is ignored.)
    fn given_up_at(&self, SprtFutility { chance, pairs, .. }: SprtFutility, played: f64) -> f64 {
        let left = (pairs as f64 - played).max(1.0);
        let (way, variance) = (self.test.way_to_h1(played, left, self.step().powi(2)), self.step().powi(2));
        let farthest = variance * left + 10.0 * (variance * left).sqrt();
        way.from - root(|above| chance - way.chance(way.from - above), (0.0, farthest), 1e-9)
    }
}

/// The place near `near` where an increasing probability has this value, by the secant method on its logit.
fn place_of(probability: f64, near: f64, of: impl Fn(f64) -> f64) -> f64 {
    let logit = |p: f64| {
        let p = p.clamp(1e-9, 1.0 - 1e-9);
        (p / (1.0 - p)).ln()
    };
    let missing = |place: f64| logit(of(place)) - logit(probability);
    let (mut place, mut slope, mut gap) = (near, 2.0, missing(near));
    for _ in 0..TRIES {
        let next = (place - (gap / slope).clamp(-2.0, 2.0)).clamp(-FARTHEST, FARTHEST);
        if gap.abs() < NEAR || (next - place).abs() < NEAR {
            break;
        }
        let next_gap = missing(next);
        // Between two places the logit grows by about two per standard error.
        slope = ((next_gap - gap) / (next - place)).clamp(0.5, 10.0);
        (place, gap) = (next, next_gap);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, SprtTest, Wdl};

    fn test_of(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Normalized).unwrap()
    }

    fn ends(estimate: &SprtEstimate) -> [f64; 3] {
        let NormalizedEloEstimate { nelo, lower, upper } = estimate.normalized_elo;
        [lower, nelo, upper].map(NormalizedElo::value)
    }

    fn assert_near(found: [f64; 3], expected: [f64; 3]) {
        let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.07);
        assert!(is_near, "{found:?}, expected {expected:?}");
    }

    /// H1 was accepted: a match of fixed length gives +10.16 ± 5.87, which is too high.
    #[test]
    fn an_estimate_after_h1_is_nearer_to_0_and_reaches_less_far_up() {
        let pairs = Observations::Pairs(Pentanomial::new([199, 1517, 3095, 1685, 234]));
        let test = Sprt::new(0.0, 3.0, 0.05, 0.1, SprtModel::Normalized).unwrap();
        let fixed = NormalizedEloEstimate::new(&pairs.score());
        let [lower, nelo, upper] = ends(&test.estimate(&pairs, None).unwrap());
        assert!(lower < nelo && nelo < upper && nelo < fixed.nelo.value() && upper < fixed.upper.value());
        // As in fishtest's `sprt.py` (b8eecff), which does not move the bounds outwards.
        assert_near([lower, nelo, upper], [3.660, 9.641, 15.586]);
    }

    /// The first test cannot have ended. In the second, the time to a bound at a great distance is nearly normal, and its
    /// median is near its mean.
    #[test]
    fn where_a_test_says_nothing_the_estimate_is_nearly_that_of_a_fixed_length() {
        for (counts, elo0, elo1, near) in
            [([10, 80, 150, 85, 12], -10.0, 10.0, 0.2), ([0, 49, 98, 98, 49], 0.0, 5.0, 2.5)]
        {
            let pairs = Observations::Pairs(Pentanomial::new(counts));
            let fixed = NormalizedEloEstimate::new(&pairs.score());
            let found = ends(&test_of(elo0, elo1).estimate(&pairs, None).unwrap());
            for (found, fixed) in found.into_iter().zip([fixed.lower, fixed.nelo, fixed.upper]) {
                assert!((found - fixed.value()).abs() < near, "{found} {fixed}");
            }
        }
        let pairs = Observations::Pairs(Pentanomial::new([10, 80, 150, 85, 12]));
        assert_eq!(test_of(0.0, 0.1).estimate(&pairs, None), None);
    }

    #[test]
    fn the_other_side_sees_the_same_difference() {
        let pairs = Pentanomial::new([60, 420, 900, 500, 80]);
        for (mixture, bounds) in [(false, SprtTest::Wald), (true, SprtTest::Wald), (false, SprtTest::Curved)]
        {
            let of = |elo0, elo1, pairs| {
                let test = test_of(elo0, elo1).with_mixture(mixture).with_test(bounds);
                ends(&test.estimate(&Observations::Pairs(pairs), None).unwrap())
            };
            let (ours, theirs) = (of(0.0, 10.0, pairs), of(-10.0, 0.0, pairs.reversed()));
            assert_near(ours, [-theirs[2], -theirs[1], -theirs[0]]);
        }
    }

    #[test]
    fn a_test_that_is_not_decided_or_hopeless_and_results_without_a_spread_have_no_estimate() {
        let pairs = Observations::Pairs(Pentanomial::new([199, 1517, 3095, 1885, 334]));
        assert_eq!(test_of(0.0, 5.0).estimate(&pairs, None), None);
        assert_eq!(test_of(0.0, 5.0).estimate(&Observations::Games(Wdl::new(0, 9, 0)), None), None);
        // A hopeless test ends at the first pairs for which the chance is looked at, so it has a fixed length.
        let pairs = Observations::Pairs(Pentanomial::new([1, 5, 8, 5, 1]));
        let futility = SprtFutility { chance: 0.05, pairs: 50, gave_up: true };
        assert_eq!(test_of(0.0, 5.0).estimate(&pairs, Some(futility)), None);
    }

    #[test]
    fn absurd_tests_have_an_estimate_or_none() {
        let of = |elo0, elo1, beta, observations, futility| {
            let test = Sprt::new(elo0, elo1, f64::MIN_POSITIVE, beta, SprtModel::Normalized).unwrap();
            // An estimate that is NaN would panic.
            test.estimate(&observations, futility)
        };
        of(0.0, 1e-9, 1.0 - f64::EPSILON, Observations::Pairs(Pentanomial::new([0, 0, 0, 1, 1])), None);
        let futility = SprtFutility { chance: 0.001, pairs: 11, gave_up: false };
        let pairs = Observations::Pairs(Pentanomial::new([0, 226_318_822_112, 0, 0, 1]));
        let test = Sprt::new(0.0, 1e-9, 0.05, 1e-12, SprtModel::Logistic).unwrap();
        test.estimate(&pairs, None);
        of(-1400.0, 983.6771586493427, 0.05, Observations::Games(Wdl::new(0, 1, 1)), Some(futility));
    }
}
