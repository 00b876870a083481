//! A ladder of time controls: a patch is tried in short games before it costs long ones.
//!
//! The last rung has the sequential test that is asked for, and alone accepts H1, so that it errs as without a ladder. Each
//! rung before has a test of its own that can only stop the ladder. That costs power where a patch looks worse in short games,
//! by bad luck or because it is worse there, and saves the long games of the many patches that gain nothing.
//!
//! The early tests have curved bounds, and hypotheses lower by a quarter of their distance. With hypotheses, bounds and errors
//! chosen for each rung apart, an hour gains up to a tenth more Elo for the same loss. Without the quarter it gains 4 to 14%
//! more, and half as much power again is lost of patches that are worth less in short games (`results/ladder.csv`).

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Elo, EloEstimate, ResultShares, Sprt, SprtCourse, SprtTest};

/// By how much of their distance the hypotheses of early rungs are lower.
const LOWER: f64 = 0.25;

/// The probability that an early rung lets pass what is as bad as its H0.
const EARLY_ALPHA: f64 = 0.2;

/// The probability that the early rungs together stop what is as good as their H1.
const EARLY_BETA: f64 = 0.06;

/// A sequential test that is played at several time controls.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    test: Sprt,
    early: Sprt,
    /// What a game costs on each early rung, in games of the last one.
    costs: Vec<f64>,
}

impl Ladder {
    /// The share of ladders that are played to the end whatever the early rungs say, so that their author learns what those
    /// are worth. The last rung decides these too.
    pub const PLAYED_ON: f64 = 0.1;

    /// A ladder whose last rung has this test. `times` are those of a game on each rung, in any unit, all above 0.
    ///
    /// # Panics
    /// Without a rung.
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

/// What patches are worth: normally distributed differences, in Elo of the test's model, with the same mean and deviation on
/// every rung.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// The correlation of a patch's differences on any two rungs, from 0 to 1.
    pub correlation: f64,
}

/// What a test comes to on the average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LadderCost {
    /// The mean cost of a patch, in games of the last rung.
    pub games: f64,
    /// The probability that H1 is accepted.
    pub accepted: f64,
    /// The mean of what a patch gains on the last rung, nothing if it is not accepted; in Elo of the test's model.
    pub gain: f64,
}

impl LadderCost {
    /// Adds so many times another one.
    pub fn add(&mut self, weight: f64, other: LadderCost) {
        self.games += weight * other.games;
        self.accepted += weight * other.accepted;
        self.gain += weight * other.gain;
    }
}

/// What a ladder costs and accepts, and its last test alone, computed from the courses of the tests.
#[derive(Clone, Debug)]
pub struct LadderCourse<'a> {
    ladder: &'a Ladder,
    early: TestTable,
    last: TestTable,
}

impl LadderCourse<'_> {
    /// The course of a ladder if a difference, in Elo of the test's model, has results like `shares` says on every rung;
    /// `None` if they are all alike.
    pub fn new(ladder: &Ladder, shares: impl Fn(f64) -> ResultShares) -> Option<LadderCourse<'_>> {
        let table = |test| TestTable::new(test, &shares);
        Some(LadderCourse { ladder, early: table(&ladder.early)?, last: table(&ladder.test)? })
    }

    /// The last test alone, at this difference.
    pub fn alone(&self, difference: f64) -> LadderCost {
        let (accepted, games) = self.last.at(difference);
        LadderCost { games, accepted, gain: accepted * difference }
    }

    /// The ladder, with the same difference on every rung.
    pub fn at(&self, difference: f64) -> LadderCost {
        self.climbed(difference, self.early.at(difference))
    }

    /// The ladder, for those of the patches that have this difference on the last rung.
    pub fn at_last(&self, difference: f64, patches: &Patches) -> LadderCost {
        let Patches { mean, deviation, correlation } = *patches;
        // What the early rungs have in common beyond the last one's difference, and what each has for itself.
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

    /// All of the patches: by the ladder, and by the last test alone.
    pub fn of(&self, patches: &Patches) -> [LadderCost; 2] {
        let mut costs = [LadderCost::default(); 2];
        for (place, weight) in normal_nodes(0.1) {
            let difference = patches.mean + place * patches.deviation;
            costs[0].add(weight, self.at_last(difference, patches));
            costs[1].add(weight, self.alone(difference));
        }
        costs
    }

    /// The ladder, given the probability to pass an early rung, and its mean games.
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

/// Places of a normal variable up to four deviations, so many deviations apart, and their weights.
fn normal_nodes(step: f64) -> Vec<(f64, f64)> {
    let count = (4.0 / step) as i32;
    let places = (-count..=count).map(|node| f64::from(node) * step);
    let weights = places.map(|place| (place, step * (-place * place / 2.0).exp() / TAU.sqrt()));
    weights.collect()
}

/// The logarithm of the odds of H1, which is nearly a line, and the mean games of a test, at any difference.
#[derive(Clone, Debug)]
struct TestTable {
    middle: f64,
    distance: f64,
    rows: Vec<(f64, f64)>,
}

/// The rows of a table on either side of the middle, so many in the first distance of the hypotheses and ever fewer in the
/// next; the last is 27 distances away.
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

/// By how much the Elo of a patch changes with each doubling of the time, with its 95% interval: the slope of the line of
/// weighted least squares. `rungs` are the times of a game, in any unit, and the estimates there; those without an end are left
/// out. `None` with fewer than two different times.
pub fn elo_per_doubling(rungs: &[(f64, EloEstimate)]) -> Option<EloEstimate> {
    // The place, the value, and the weight by the inverse square of half the interval.
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

    /// The times of a game at 0.2+0.002, 1+0.01 and 8+0.08.
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

    /// The table of the guide: cost of a patch, Elo in an hour, and power for those worth 5 nElo, as ratios to the test alone.
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
        // Two points: the difference by its error, √(3² + 4²) over three doublings.
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
