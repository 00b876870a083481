//! A ladder of time controls: short games weed out patches before long games are spent on them.
//!
//! The last rung is the sequential test that the user asked for. It alone can accept H1, so the ladder errs no more often than
//! the test. Each earlier rung has a test that can only stop the ladder. This costs power for patches that look worse in short
//! games, by bad luck or in fact, and saves the long games of the many patches that gain nothing.
//!
//! The early tests have curved bounds, and hypotheses lower by a quarter of their distance. Tuning hypotheses, bounds and
//! errors for each rung would gain up to a tenth more Elo per hour for the same loss of power. Without the quarter, an hour
//! gains 4 to 14% more, but half as much power again is lost for patches that are worse in short games (`results/ladder.csv`).

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Elo, EloEstimate, ResultShares, Sprt, SprtCourse, SprtTest};

/// How much lower the hypotheses of early rungs are, as a share of their distance.
const LOWER: f64 = 0.25;

/// The probability that an early rung passes a patch at its H0.
const EARLY_ALPHA: f64 = 0.2;

/// The probability that the early rungs together stop a patch at their H1.
const EARLY_BETA: f64 = 0.06;

/// A sequential test that is played at several time controls.
///
/// ```
/// use stats::{Elo, Ladder, LadderCourse, ResultShares, Sprt, SprtModel::Normalized};
///
/// // Two rungs with games of 1 and 5 seconds, then games of 40 seconds.
/// let ladder = Ladder::new(Sprt::new(0.0, 5.0, 0.05, 0.05, Normalized)?, &[1.0, 5.0, 40.0]);
/// let shares = |nelo| ResultShares::assumed(nelo, Normalized, 0.6, Elo::new(0.0));
/// let course = LadderCourse::new(&ladder, shares).expect("results that vary");
/// assert!(course.at(-5.0).games < course.alone(-5.0).games);
/// # Ok::<(), stats::InvalidSprt>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    test: Sprt,
    early: Sprt,
    /// The cost of a game on each early rung, in games of the last rung.
    costs: Vec<f64>,
}

impl Ladder {
    /// The share of ladders that are played to the end whatever the early rungs decide, to show what the early rungs are worth.
    /// The last rung decides these too.
    pub const PLAYED_ON: f64 = 0.1;

    /// A ladder with `test` on its last rung. `times` are the game times of the rungs, in any unit, all positive.
    ///
    /// # Panics
    /// If `times` is empty.
    pub fn new(test: Sprt, times: &[f64]) -> Ladder {
        let (last, early) = times.split_last().expect("a ladder has rungs");
        let lower = LOWER * (test.elo1() - test.elo0());
        let (elo0, elo1) = ((test.elo0() - lower).max(-Sprt::MAX_BOUND), test.elo1() - lower);
        let beta = EARLY_BETA / early.len().max(1) as f64;
        let of_rung = Sprt::new(elo0, elo1, EARLY_ALPHA, beta, test.model()).expect("valid as the test is");
        let costs = early.iter().map(|time| time / last).collect();
        Ladder { test, early: of_rung.with_test(SprtTest::Curved), costs }
    }

    /// The test of each early rung: if it accepts H0, the ladder ends; otherwise the next rung is played.
    pub fn early(&self) -> Sprt {
        self.early
    }

    /// Whether the ladder with this seed is played to the end whatever the early rungs say.
    pub fn plays_on(seed: u64) -> bool {
        ChaCha8Rng::seed_from_u64(seed).random_bool(Ladder::PLAYED_ON)
    }
}

/// The distribution of patches: differences are normally distributed, in Elo of the test's model, with the same mean and
/// standard deviation on every rung.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// The correlation of a patch's differences on any two rungs, from 0 to 1.
    pub correlation: f64,
}

/// The expected cost and benefit of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LadderCost {
    /// The mean cost of a patch, in games of the last rung.
    pub games: f64,
    /// The probability that H1 is accepted.
    pub accepted: f64,
    /// The mean gain per patch on the last rung, in Elo of the test's model; a patch that is not accepted gains 0.
    pub gain: f64,
}

impl LadderCost {
    /// Adds `other` with a weight.
    pub fn add(&mut self, weight: f64, other: LadderCost) {
        self.games += weight * other.games;
        self.accepted += weight * other.accepted;
        self.gain += weight * other.gain;
    }
}

/// The cost and the acceptance of a ladder and of its last test alone, computed from the courses of the tests.
#[derive(Clone, Debug)]
pub struct LadderCourse<'a> {
    ladder: &'a Ladder,
    early: TestTable,
    last: TestTable,
}

impl LadderCourse<'_> {
    /// The course of a ladder if `shares` gives the results at a difference, in Elo of the test's model, on every rung. `None`
    /// if the results never vary.
    pub fn new(ladder: &Ladder, shares: impl Fn(f64) -> ResultShares) -> Option<LadderCourse<'_>> {
        let table = |test| TestTable::new(test, &shares);
        Some(LadderCourse { ladder, early: table(&ladder.early)?, last: table(&ladder.test)? })
    }

    /// The cost of the last test alone at this difference.
    pub fn alone(&self, difference: f64) -> LadderCost {
        let (accepted, games) = self.last.at(difference);
        LadderCost { games, accepted, gain: accepted * difference }
    }

    /// The cost of the ladder with the same difference on every rung.
    pub fn at(&self, difference: f64) -> LadderCost {
        self.climbed(difference, self.early.at(difference))
    }

    /// The cost of the ladder for patches from `patches` with this difference on the last rung.
    pub fn at_last(&self, difference: f64, patches: &Patches) -> LadderCost {
        let Patches { mean, deviation, correlation } = *patches;
        // The deviation that the early rungs share, given the last rung's difference, and the deviation of each alone.
        let common = deviation * (correlation * (1.0 - correlation)).sqrt();
        let own = deviation * (1.0 - correlation).sqrt();
        let (nodes, mut cost) = (normal_nodes(0.25), LadderCost::default());
        for (place, weight) in &nodes {
            let early = mean + correlation * (difference - mean) + common * place;
            let rungs = nodes.iter().map(|(place, weight)| (self.early.at(early + own * place), weight));
            let mean = rungs.fold((0.0, 0.0), |sum, ((pass, games), weight)| {
                (sum.0 + weight * pass, sum.1 + weight * games)
            });
            cost.add(*weight, self.climbed(difference, mean));
        }
        cost
    }

    /// The cost for all patches: of the ladder, and of the last test alone.
    pub fn of(&self, patches: &Patches) -> [LadderCost; 2] {
        let mut costs = [LadderCost::default(); 2];
        for (place, weight) in normal_nodes(0.1) {
            let difference = patches.mean + place * patches.deviation;
            costs[0].add(weight, self.at_last(difference, patches));
            costs[1].add(weight, self.alone(difference));
        }
        costs
    }

    /// The cost of the ladder, given the probability of passing an early rung and the mean games of its test.
    fn climbed(&self, difference: f64, (pass, games): (f64, f64)) -> LadderCost {
        let played = |passed: f64| passed + Ladder::PLAYED_ON * (1.0 - passed);
        let (mut cost, mut passed) = (LadderCost::default(), 1.0);
        for own in &self.ladder.costs {
            cost.games += played(passed) * own * games;
            passed *= pass;
        }
        cost.add(played(passed), self.alone(difference));
        cost
    }
}

/// Values of a standard normal variable from -4 to 4, `step` apart, and their weights.
fn normal_nodes(step: f64) -> Vec<(f64, f64)> {
    let count = (4.0 / step) as i32;
    let places = (-count..=count).map(|node| f64::from(node) * step);
    let weights = places.map(|place| (place, step * (-place * place / 2.0).exp() / TAU.sqrt()));
    weights.collect()
}

/// The log odds of accepting H1, which are nearly linear, and the mean games of a test, tabulated by difference.
#[derive(Clone, Debug)]
struct TestTable {
    middle: f64,
    distance: f64,
    rows: Vec<(f64, f64)>,
}

/// The rows on either side of the middle, and the rows within the first distance of the hypotheses; they get sparser farther
/// out. The last row is 27 distances away.
const ROWS: i32 = 24;
const ROWS_OF_A_DISTANCE: f64 = 6.0;

impl TestTable {
    fn new(test: &Sprt, shares: impl Fn(f64) -> ResultShares) -> Option<TestTable> {
        let (middle, distance) = (test.elo0().midpoint(test.elo1()), test.elo1() - test.elo0());
        let row = |row: i32| {
            let difference = middle + distance * (f64::from(row) / ROWS_OF_A_DISTANCE).sinh();
            let course = SprtCourse::new(test, &shares(difference.clamp(-Sprt::MAX_BOUND, Sprt::MAX_BOUND)))?;
            let h1 = course.h1_probability().clamp(1e-12, 1.0 - 1e-12);
            Some(((h1 / (1.0 - h1)).ln(), course.mean_games()))
        };
        Some(TestTable { middle, distance, rows: (-ROWS..=ROWS).map(row).collect::<Option<_>>()? })
    }

    fn at(&self, difference: f64) -> (f64, f64) {
        let place = ((difference - self.middle) / self.distance).asinh() * ROWS_OF_A_DISTANCE;
        let place = (place + f64::from(ROWS)).clamp(0.0, f64::from(2 * ROWS) - 1e-9);
        let (row, part) = (place as usize, place.fract());
        let (one, next) = (self.rows[row], self.rows[row + 1]);
        let between = |one: f64, next: f64| one + part * (next - one);
        (1.0 / (1.0 + (-between(one.0, next.0)).exp()), between(one.1, next.1))
    }
}

/// The change of a patch's Elo per doubling of the time, with its 95% interval: the slope of a weighted least-squares line.
/// `rungs` are game times, in any unit, and the estimates there; infinite estimates are left out. `None` for fewer than two
/// different times.
pub fn elo_per_doubling(rungs: &[(f64, EloEstimate)]) -> Option<EloEstimate> {
    // The position, the value, and the weight: the inverse square of half the interval.
    let points = rungs.iter().map(|(time, elo)| (time.log2(), elo.elo.value(), elo.margin().powi(-2)));
    let points: Vec<_> = points.filter(|(_, elo, weight)| elo.is_finite() && *weight > 0.0).collect();
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(place, elo, weight)| weight * of(place, elo)).sum()
    };
    let centre = sum(&|place, _| place) / sum(&|_, _| 1.0);
    let spread = sum(&|place, _| (place - centre).powi(2));
    let slope = sum(&|place, elo| (place - centre) * elo) / spread;
    let margin = spread.sqrt().recip();
    let [elo, lower, upper] = [slope, slope - margin, slope + margin];
    let is_known = slope.is_finite() && margin.is_finite();
    is_known.then(|| EloEstimate { elo: Elo::new(elo), lower: Elo::new(lower), upper: Elo::new(upper) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SprtForecast, SprtModel};

    /// The relative game times of 0.2+0.002, 1+0.01 and 8+0.08.
    const TIMES: [f64; 3] = [1.0, 5.0, 40.0];

    fn test_of(elo1: f64) -> Sprt {
        Sprt::new(0.0, elo1, 0.05, 0.05, SprtModel::Normalized).unwrap().with_test(SprtTest::Curved)
    }

    fn shares(nelo: f64) -> ResultShares {
        ResultShares::assumed(nelo, SprtModel::Normalized, 0.6, Elo::new(0.0))
    }

    #[test]
    fn only_the_last_rung_accepts_and_power_is_lost_as_stated() {
        for times in [&TIMES[..], &[1.0, 8.0], &[1.0, 2.0, 4.0, 8.0, 16.0]] {
            let ladder = Ladder::new(test_of(5.0), times);
            let course = LadderCourse::new(&ladder, shares).unwrap();
            let lost = 1.0 - course.at(5.0).accepted / course.alone(5.0).accepted;
            assert!((0.005..0.02).contains(&lost), "{times:?}: {lost}");
            assert!(
                course.at(0.0).accepted < course.alone(0.0).accepted && course.alone(0.0).accepted < 0.053
            );
        }
        let least = Sprt::new(-1400.0, -1399.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
        assert!((Ladder::new(least, &[1.0, 2.0]).early().elo1() + 1399.25).abs() < 1e-9);
    }

    /// The guide's table: cost of a patch, Elo per hour, and power at 5 nElo, each as a ratio to the test alone.
    #[test]
    fn an_hour_gains_more_elo_the_more_the_rungs_agree() {
        let ladder = Ladder::new(test_of(5.0), &TIMES);
        let course = LadderCourse::new(&ladder, shares).unwrap();
        for (correlation, cost, elo_per_hour, power) in
            [(0.7, 0.39, 1.68, 0.67), (0.85, 0.435, 1.84, 0.84), (0.95, 0.47, 1.90, 0.95)]
        {
            let patches = Patches { mean: -2.0, deviation: 4.0, correlation };
            let [climbed, alone] = course.of(&patches);
            let games = climbed.games / alone.games;
            let accepted = course.at_last(5.0, &patches).accepted / course.alone(5.0).accepted;
            let found = [(games, cost), (climbed.gain / alone.gain / games, elo_per_hour), (accepted, power)];
            assert!(found.iter().all(|(found, expected)| (found - expected).abs() < 0.02), "{found:?}");
        }
    }

    #[test]
    #[ignore = "simulates for seconds; .ci/nightly runs it"]
    fn simulated_ladders_end_as_computed() {
        let ladder = Ladder::new(test_of(40.0), &TIMES);
        let course = LadderCourse::new(&ladder, shares).unwrap();
        let tests = 400;
        for difference in [-10.0, 10.0, 40.0] {
            let [(first, games), (second, more), (last, most)] =
                [(&ladder.early, 1), (&ladder.early, 2), (&ladder.test, 3)].map(|(test, seed)| {
                    let forecast = SprtForecast::new(test, &shares(difference), tests, seed);
                    (f64::from(forecast.accepted_h1) / f64::from(tests), forecast.mean_games.unwrap())
                });
            let [climbed, end] = [first, first * second].map(|passed| passed + 0.1 * (1.0 - passed));
            let (cost, computed) = (games / 40.0 + climbed * more / 8.0 + end * most, course.at(difference));
            assert!((cost / computed.games - 1.0).abs() < 0.12, "{difference}: {cost} and {computed:?}");
            assert!((end * last - computed.accepted).abs() < 0.06, "{difference}: {computed:?}");
        }
    }

    #[test]
    fn one_seed_in_ten_plays_on() {
        let played_on = (0..10_000).filter(|&seed| Ladder::plays_on(seed)).count();
        assert!((900..1100).contains(&played_on), "{played_on}");
    }

    #[test]
    fn the_slope_is_that_of_the_line_and_exact_rungs_weigh_more() {
        let slope = |points: &[(f64, f64, f64)]| {
            let points = points.iter().map(|&(time, elo, margin)| {
                let [elo, lower, upper] = [elo, elo - margin, elo + margin].map(Elo::new);
                (time, EloEstimate { elo, lower, upper })
            });
            elo_per_doubling(&points.collect::<Vec<_>>()).map(|slope| (slope.elo.value(), slope.margin()))
        };
        assert!((slope(&[(1.0, 1.0, 2.0), (4.0, 4.0, 1.0), (8.0, 5.5, 3.0)]).unwrap().0 - 1.5).abs() < 1e-9);
        // With two points, the slope's error is √(3² + 4²) over three doublings.
        let two = slope(&[(1.0, 0.0, 3.0), (8.0, 6.0, 4.0)]).unwrap();
        assert!((two.0 - 2.0).abs() < 1e-9 && (two.1 - 5.0 / 3.0).abs() < 1e-9);
        let bent = |margin| slope(&[(1.0, 0.0, 1.0), (2.0, 0.0, 1.0), (4.0, 8.0, margin)]).unwrap().0;
        assert!(bent(1.0) > bent(10.0));
        for unknown in
            [&[][..], &[(2.0, 1.0, 1.0), (2.0, 1.0, 1.0)], &[(2.0, 1.0, 1.0), (4.0, 1.0, f64::INFINITY)]]
        {
            assert_eq!(slope(unknown), None);
        }
    }
}
