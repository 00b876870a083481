//! Logistic Elo: the rating difference that explains an expected score.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use super::open_ended;

/// A difference of ratings in Elo on the logistic scale: 400 points are odds of ten to one.
///
/// Never NaN; infinite for a score of 0 or 1. Serialised as a number, or as `"inf"` and `"-inf"`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Elo(#[serde(with = "open_ended")] f64);

impl Elo {
    /// A rating difference in Elo.
    ///
    /// # Panics
    /// If `value` is NaN.
    pub const fn new(value: f64) -> Elo {
        assert!(!value.is_nan(), "a rating must not be NaN");
        Elo(value)
    }

    /// The difference that gives this expected score per game: 400·log₁₀(s / (1 − s)).
    ///
    /// Scores outside of 0 to 1 are clamped, and the result is infinite.
    ///
    /// # Panics
    /// If `score` is NaN.
    pub fn from_score(score: f64) -> Elo {
        let score = score.clamp(0.0, 1.0);
        Elo::new(400.0 * (score / (1.0 - score)).log10())
    }

    /// The expected score per game of the stronger side by this difference: 1 / (1 + 10^(−Elo/400)).
    pub fn expected_score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }

    /// The difference as a plain number of Elo.
    pub const fn value(self) -> f64 {
        self.0
    }
}

impl Neg for Elo {
    type Output = Elo;

    fn neg(self) -> Elo {
        Elo(-self.0)
    }
}

/// The bare number; precision, sign and width are the caller's (`{:+.1}`).
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ten_to_one_is_four_hundred() {
        assert!((Elo::from_score(10.0 / 11.0).value() - 400.0).abs() < 1e-9);
        assert!((Elo::new(400.0).expected_score() - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn certain_scores_are_infinitely_far() {
        assert_eq!(Elo::from_score(1.0), Elo::new(f64::INFINITY));
        assert_eq!(Elo::from_score(0.0), Elo::new(f64::NEG_INFINITY));
        assert!(Elo::new(f64::INFINITY).expected_score() >= 1.0);
        assert!(Elo::new(f64::NEG_INFINITY).expected_score() <= 0.0);
    }

    #[test]
    fn display_obeys_the_format() {
        assert_eq!(format!("{:+.1}", Elo::new(13.52)), "+13.5");
        assert_eq!(format!("{:+.1}", Elo::new(f64::NEG_INFINITY)), "-inf");
    }

    proptest! {
        #[test]
        fn score_and_elo_are_inverse(elo in -2000.0..2000.0f64) {
            prop_assert!((Elo::from_score(Elo::new(elo).expected_score()).value() - elo).abs() < 1e-6);
        }
    }
}
