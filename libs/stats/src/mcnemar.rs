//! The significance of a difference in solved positions.

use serde::{Deserialize, Serialize};

/// The exact test of `McNemar`: it compares the positions that only one of two engines solved.
///
/// Without a difference between the engines, each of these is solved by either with probability ½ (Q. `McNemar`, "Note
/// on the sampling error of the difference between correlated proportions or percentages", Psychometrika 12, 1947;
/// exact by the binomial distribution).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McNemar {
    /// Positions that only the first solved.
    pub only_first: u64,
    /// Positions that only the second solved.
    pub only_second: u64,
}

impl McNemar {
    /// The two-sided p-value; 1 without any difference.
    pub fn p_value(&self) -> f64 {
        let (small, all) = (self.only_first.min(self.only_second), self.only_first + self.only_second);
        // The logarithm of the binomial coefficient grows by one factor a step, so that no count is too large.
        let half = all as f64 * 0.5_f64.ln();
        let mut log_ways = 0.0;
        let mut tail = 0.0;
        for k in 0..=small {
            tail += (log_ways + half).exp();
            log_ways += ((all - k) as f64 / (k + 1) as f64).ln();
        }
        (2.0 * tail).min(1.0)
    }

    /// Whether the p-value is below 0.05.
    pub fn is_significant(&self) -> bool {
        self.p_value() < 0.05
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
        assert!((p(6, 0) - 2.0 / 64.0).abs() < 1e-12);
        // 2 (1 + 10 + 45) / 1024
        assert!((p(2, 8) - 112.0 / 1024.0).abs() < 1e-12);
        assert!(!McNemar { only_first: 5, only_second: 0 }.is_significant());
        assert!(McNemar { only_first: 0, only_second: 6 }.is_significant());
    }

    proptest! {
        #[test]
        fn it_is_a_probability_and_the_same_from_both_sides(first in 0_u64..100_000, second in 0_u64..100_000) {
            let value = p(first, second);
            prop_assert!((0.0..=1.0).contains(&value));
            prop_assert!((value - p(second, first)).abs() < 1e-12);
        }
    }
}
