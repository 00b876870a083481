//! Solved positions: the share that an engine solved, and the significance of a difference.

use super::group_comparison::binomial_tail;
use super::normal::Z_95;

/// `McNemar`'s exact test, which compares the positions that only one of two engines solved.
///
/// If the engines do not differ, each of these positions was solved by either engine with probability ½ (Q. `McNemar`,
/// "Note on the sampling error of the difference between correlated proportions or percentages", Psychometrika 12, 1947;
/// exact by the binomial distribution).
///
/// ```
/// let solved = stats::McNemar { only_first: 12, only_second: 2 };
/// assert!(solved.is_significant());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct McNemar {
    /// Positions that only the first engine solved.
    pub only_first: u64,
    /// Positions that only the second engine solved.
    pub only_second: u64,
}

impl McNemar {
    /// The two-sided p-value; 1 if no position was solved by only one engine.
    pub fn p_value(&self) -> f64 {
        let (large, all) = (self.only_first.max(self.only_second), self.only_first + self.only_second);
        (2.0 * binomial_tail(large, all, 0.5)).min(1.0)
    }

    /// Whether the p-value is below 0.05.
    pub fn is_significant(&self) -> bool {
        self.p_value() < 0.05
    }
}

/// The number of trials with some property, such as changed results among adjudicated games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proportion {
    /// The trials with the property.
    pub hits: u64,
    /// All trials.
    pub trials: u64,
}

impl Proportion {
    /// The share, from 0 to 1; `None` if there are no trials.
    pub fn share(self) -> Option<f64> {
        (self.trials > 0).then(|| self.hits as f64 / self.trials as f64)
    }

    /// The 95% interval of the share, by the score test (Wilson, "Probable inference, the law of succession, and
    /// statistical inference", 1927). It is sound for few hits too; without trials it is 0 to 1.
    pub fn interval(self) -> (f64, f64) {
        let Some(share) = self.share() else { return (0.0, 1.0) };
        let trials = self.trials as f64;
        let weight = Z_95 * Z_95 / trials;
        let centre = share + weight / 2.0;
        let half_width = Z_95 * (share * (1.0 - share) / trials + weight / (4.0 * trials)).sqrt();
        let end = |offset: f64| ((centre + offset) / (1.0 + weight)).clamp(0.0, 1.0);
        // Rounding must not exclude the share itself at either end of the scale.
        (end(-half_width).min(share), end(half_width).max(share))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn p(only_first: u64, only_second: u64) -> f64 {
        McNemar { only_first, only_second }.p_value()
    }

    #[test]
    fn small_cases_are_those_of_tossed_coins() {
        assert!((p(0, 0) - 1.0).abs() < 1e-12);
        assert!((p(1, 0) - 1.0).abs() < 1e-12);
        assert!((p(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((p(6, 0) - 2.0 / 64.0).abs() < 1e-12 && (p(0, 6) - p(6, 0)).abs() < 1e-12);
        // 2 (1 + 10 + 45) / 1024
        assert!((p(2, 8) - 112.0 / 1024.0).abs() < 1e-12);
        assert!(!McNemar { only_first: 5, only_second: 0 }.is_significant());
        assert!(McNemar { only_first: 0, only_second: 6 }.is_significant());
    }

    #[test]
    fn the_interval_is_the_published_one_and_no_trials_say_nothing() {
        // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I.
        for (hits, trials, lower, upper) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (low, high) = Proportion { hits, trials }.interval();
            assert!(
                (low - lower).abs() < 5e-5 && (high - upper).abs() < 5e-5,
                "{hits}/{trials}: {low} {high}"
            );
        }
        let none = Proportion::default();
        assert_eq!((none.share(), none.interval()), (None, (0.0, 1.0)));
    }

    proptest! {
        #[test]
        fn the_interval_contains_the_share(hits in 0_u64..10_000, misses in 0_u64..10_000) {
            let proportion = Proportion { hits, trials: hits + misses };
            let (lower, upper) = proportion.interval();
            prop_assert!(0.0 <= lower && upper <= 1.0);
            prop_assert!(proportion.share().is_none_or(|share| lower <= share && share <= upper));
        }
    }
}
