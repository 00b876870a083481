//! Normalized Elo: the score above ½ in standard deviations.

use std::f64::consts::LN_10;
use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use super::open_ended;

/// A difference of strength in normalized Elo: (score − ½) / σ · 800 / ln 10, where σ is the standard
/// deviation of one game (√2 times that of an opening pair's mean score).
///
/// It determines the number of games that are needed to see the difference, so it depends little on openings and time
/// control. Without draws it agrees with logistic Elo near 0. Source: Van den Bergh, "Comments on normalized Elo".
/// Never NaN; infinite for a score other than ½ without any spread. Serialised as a number, or as `"inf"` and `"-inf"`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NormalizedElo(#[serde(with = "open_ended")] f64);

/// Normalized Elo per standard deviation of one game, 800 / ln 10 ≈ 347.4.
const PER_DEVIATION: f64 = 800.0 / LN_10;

impl NormalizedElo {
    /// A difference in normalized Elo.
    ///
    /// # Panics
    /// If `value` is NaN.
    pub const fn new(value: f64) -> NormalizedElo {
        assert!(!value.is_nan(), "a rating must not be NaN");
        NormalizedElo(value)
    }

    /// The difference that goes with a t-value: the lead over ½ in standard deviations of one game.
    ///
    /// # Panics
    /// If `t` is NaN.
    pub const fn from_t_value(t: f64) -> NormalizedElo {
        NormalizedElo::new(t * PER_DEVIATION)
    }

    /// The lead over ½ in standard deviations of one game.
    pub const fn t_value(self) -> f64 {
        self.0 / PER_DEVIATION
    }

    /// The difference as a plain number of normalized Elo.
    pub const fn value(self) -> f64 {
        self.0
    }
}

impl Neg for NormalizedElo {
    type Output = NormalizedElo;

    fn neg(self) -> NormalizedElo {
        NormalizedElo(-self.0)
    }
}

/// The bare number; precision, sign and width are the caller's (`{:+.1}`).
impl fmt::Display for NormalizedElo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
