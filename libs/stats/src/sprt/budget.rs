//! Choosing a sequential test: the bounds that make the most of a number of games, and the error rate of each of several
//! tests if none may falsely accept H1.

use crate::root::bisect;
use crate::{ResultShares, Sprt, SprtCourse, SprtModel, SprtTest};

/// The ratio of each bound that is tried to the one before.
const RATIO: f64 = 1.05;

/// The range of differences that are searched, in normalized Elo.
const DIFFERENCES: (f64, f64) = (0.01, Sprt::MAX_BOUND / 2.0);

const MOST_GAMES: u64 = 1 << 50;

/// Bisection steps of a range on a logarithmic scale; the remaining error is below the digits that are shown.
const STEPS: u32 = 40;

/// A number of games, and the error probability of a test: alpha and beta are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtBudget {
    /// The maximum number of games of the test.
    pub games: u64,
    /// Alpha and beta.
    pub risk: f64,
}

impl SprtBudget {
    /// Of the tests [0, x] in normalized Elo, the one that most often accepts H1 within the games if results are
    /// distributed as `shares`, and its course.
    ///
    /// No x below the true difference is tried: such a test costs more games and accepts differences smaller than
    /// expected. The test has curved bounds, but x is chosen for Wald's test, whose course has a closed form; with the
    /// best x, H1 would be accepted in at most 1.1% more tests. With many games the best x is the true difference (Wald
    /// and Wolfowitz, "Optimum Character of the Sequential Probability Ratio Test", 1948); with few it is larger. Bounds
    /// have two significant digits. `None` if the true difference is not positive or is beyond the bounds of a test, or if
    /// the risk is not between 0 and ½.
    pub fn best_test(&self, shares: &ResultShares) -> Option<(Sprt, SprtCourse)> {
        let truth = shares.elo(SprtModel::Normalized);
        if truth.is_nan() || truth <= 0.0 {
            return None;
        }
        let bounds = (0..).map(|step| truth * RATIO.powi(step));
        let bounds = bounds.take_while(|bound| *bound <= Sprt::MAX_BOUND).map(two_digits);
        let tests = bounds.filter_map(|bound| self.test(bound));
        let chance = |test: &Sprt| {
            Some(SprtCourse::new(&test.with_test(SprtTest::Wald), shares)?.h1_within(self.games))
        };
        let chances = tests.filter_map(|test| Some((chance(&test)?, test)));
        // In a tie, the first one, which has the lowest bound.
        let best = chances.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.and_then(|(_, test)| Some((test, SprtCourse::new(&test, shares)?)))
    }

    /// The curved test of [0, `elo1`] normalized Elo with this risk; `None` if it is invalid.
    pub fn test(&self, elo1: f64) -> Option<Sprt> {
        let wald = Sprt::new(0.0, elo1, self.risk, self.risk, SprtModel::Normalized).ok()?;
        Some(wald.with_test(SprtTest::Curved))
    }

    /// The smallest number of games in which the best test accepts H1 with at least this probability, which must be below
    /// 1 − risk. `None` if there is no test or no number of games suffices.
    pub fn games_needed(risk: f64, shares: &ResultShares, probability: f64) -> Option<u64> {
        let suffice = |games| {
            let best = SprtBudget { games, risk }.best_test(shares);
            best.is_some_and(|(_, course)| course.h1_within(games) >= probability)
        };
        if !suffice(MOST_GAMES) {
            return None;
        }
        let logarithms = (0.0, (MOST_GAMES as f64).ln());
        let (_, games) = bisect(logarithms, STEPS, |games| !suffice(games.exp() as u64));
        Some(games.exp() as u64)
    }

    /// The smallest true difference, in normalized Elo, for which the best test accepts H1 within the games with at least
    /// this probability; `shares_at` gives the results at a difference. `None` if there is no such difference up to 700.
    pub fn smallest_seen(&self, shares_at: impl Fn(f64) -> ResultShares, probability: f64) -> Option<f64> {
        let is_seen = |elo: f64| {
            let best = self.best_test(&shares_at(elo));
            best.is_some_and(|(_, course)| course.h1_within(self.games) >= probability)
        };
        let (least, most) = DIFFERENCES;
        if !is_seen(most) {
            return None;
        }
        let (_, elo) = bisect((least.ln(), most.ln()), STEPS / 2, |elo| !is_seen(elo.exp()));
        Some(elo.exp())
    }
}

fn two_digits(number: f64) -> f64 {
    let unit = 10f64.powf(number.log10().floor() - 1.0);
    // 0.1 · 51 is not exactly 5.1, but 51 / 10 is.
    let digits = (number / unit).round();
    if unit < 1.0 { digits / (1.0 / unit).round() } else { digits * unit }
}

impl Sprt {
    /// One of several tests that share this test's alpha: the probability that any of them accepts H1 although its H0
    /// holds is at most alpha. Beta applies to each test alone. For fewer than two tests this is the test itself.
    ///
    /// Each test has alpha divided by their number (Bonferroni's inequality; Dunn, "Multiple Comparisons Among Means",
    /// 1961). This moves the upper bound out by the logarithm of that number and hardly moves the lower one, so a
    /// worthless candidate costs hardly more than alone. It is valid however the results depend on each other, as they do
    /// if all candidates meet one opponent with the same openings, and each test is decided by its own results alone, in
    /// whatever order games end. Holm's procedure, extended to sequential tests by Bartroff and Song ("Sequential tests of
    /// multiple hypotheses controlling type I and II familywise error rates", 2014), saves games only after one test has
    /// accepted H1, and makes each verdict depend on when the others came.
    #[must_use]
    pub fn one_of(&self, tests: u32) -> Sprt {
        // A smaller alpha is always valid.
        self.with_alpha(self.alpha() / f64::from(tests.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elo, SprtForecast};

    fn shares(elo: f64) -> ResultShares {
        ResultShares::assumed(elo, SprtModel::Normalized, 0.5, Elo::new(0.0))
    }

    fn budget(games: u64) -> SprtBudget {
        SprtBudget { games, risk: 0.05 }
    }

    #[test]
    fn two_digits_are_left() {
        let rounded = [0.012345, 0.5, 5.125, 9.96, 10.4, 347.4].map(two_digits);
        assert_eq!(rounded.map(|number| number.to_string()), ["0.012", "0.5", "5.1", "10", "10", "350"]);
    }

    #[test]
    fn the_fewer_games_the_further_apart_are_the_bounds_and_there_is_no_test_of_no_difference() {
        let (test, course) = budget(10_000_000).best_test(&shares(5.0)).unwrap();
        assert_eq!((test.elo0(), test.elo1()), (0.0, 5.0));
        assert!((course.h1_within(10_000_000) - 0.95).abs() < 0.003);
        let bounds = [200_000, 20_000, 4000, 1000].map(|games| {
            let (test, _) = budget(games).best_test(&shares(3.0)).unwrap();
            test.elo1()
        });
        assert!(bounds.is_sorted_by(|one, next| one < next) && bounds[0] >= 3.0, "{bounds:?}");
        assert_eq!(budget(1000).best_test(&shares(0.0)), None);
        assert_eq!(budget(1000).best_test(&shares(-4.0)), None);
        assert_eq!(SprtBudget { games: 1000, risk: 0.7 }.best_test(&shares(4.0)), None);
    }

    #[test]
    fn the_chosen_bound_is_accepted_more_often_than_the_true_one() {
        let (truth, games) = (20.0, 1500);
        let (best, course) = budget(games).best_test(&shares(truth)).unwrap();
        let of_truth = SprtCourse::new(&budget(games).test(truth).unwrap(), &shares(truth)).unwrap();
        assert!(best.elo1() > truth && course.h1_within(games) > of_truth.h1_within(games), "{best:?}");
    }

    #[test]
    fn what_is_needed_and_what_is_seen_are_inverse() {
        let games = SprtBudget::games_needed(0.05, &shares(8.0), 0.8).unwrap();
        let seen = budget(games).smallest_seen(shares, 0.8).unwrap();
        assert!((seen - 8.0).abs() < 0.1, "{games} games show {seen}");
        assert_eq!(SprtBudget::games_needed(0.05, &shares(8.0), 0.96), None, "beta alone is 5%");
        assert_eq!(budget(2).smallest_seen(shares, 0.9), None);
    }

    #[test]
    fn a_part_of_a_family_has_its_share_of_alpha() {
        let all = Sprt::new(0.0, 60.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let one = all.one_of(4);
        assert_eq!((one.alpha(), one.beta()), (0.0125, 0.05));
        assert!((one.upper().value() - all.upper().value() - 4f64.ln()).abs() < 1e-12);
        assert_eq!([all.one_of(0), all.one_of(1)], [all, all]);
    }

    /// Four independent tests of worthless candidates accept at least one in some 15% of families. Matches of fixed length
    /// with the same errors of the family need ((z(1 − α/4) + z(1 − β)) / d)² games each, with the difference d in
    /// standard deviations of a game: z(0.9875) = 2.2414 and z(0.95) = 1.6449 (Abramowitz and Stegun, table 26.5).
    #[test]
    fn a_family_errs_as_alpha_says_and_takes_less_than_half_of_the_games_of_a_fixed_length() {
        let alone = Sprt::new(0.0, 60.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let played = |test: &Sprt, difference| {
            let shares = ResultShares::assumed(difference, SprtModel::Normalized, 0.5, Elo::new(60.0));
            let forecast = SprtForecast::new(test, &shares, 600, 11);
            (f64::from(forecast.accepted_h1) / 600.0, forecast.mean_games.unwrap())
        };
        let any_of_four = |accepted: f64| 1.0 - (1.0 - accepted).powi(4);
        let (worthless, better) = (played(&alone.one_of(4), 0.0), played(&alone.one_of(4), 60.0));
        // Three standard deviations of the simulation.
        assert!(
            any_of_four(worthless.0) <= 0.05 + 3.0 * 4.0 * (0.0125_f64 * 0.9875 / 600.0).sqrt(),
            "{worthless:?}"
        );
        assert!(any_of_four(played(&alone, 0.0).0) > 0.1 && better.0 > 0.9, "{better:?}");
        let fixed = 4.0 * ((2.2414 + 1.6449) / (60.0 * std::f64::consts::LN_10 / 800.0)).powi(2);
        assert!(3.0 * worthless.1 + better.1 < 0.5 * fixed, "in place of {fixed}");
    }
}
