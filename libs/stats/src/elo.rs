//! Logistic Elo: the rating difference that explains an expected score.

use super::Score;

/// A rating difference on some scale: never NaN, but possibly infinite.
macro_rules! difference {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema), serde(transparent))]
        pub struct $name(
            #[cfg_attr(feature = "serde", serde(with = "crate::elo::open_ended"))]
            #[cfg_attr(feature = "serde", schemars(with = "crate::elo::open_ended::Written"))]
            f64,
        );

        impl $name {
            /// A difference of `value` on this scale.
            ///
            /// # Panics
            /// If `value` is NaN.
            pub const fn new(value: f64) -> $name {
                assert!(!value.is_nan(), "a rating must not be NaN");
                $name(value)
            }

            /// The difference as a plain number.
            pub const fn value(self) -> f64 {
                self.0
            }
        }

        impl std::ops::Neg for $name {
            type Output = $name;

            fn neg(self) -> $name {
                $name(-self.0)
            }
        }

        /// The bare number. The caller's format sets precision, sign and width (`{:+.1}`).
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(super) use difference;

difference! {
    /// A difference of ratings in Elo on the logistic scale: 400 points are odds of ten to one.
    ///
    /// Never NaN; infinite for a score of 0 or 1. Serialised as a number, or as `"inf"` and `"-inf"`.
    Elo
}

impl Elo {
    /// The difference that gives this expected score per game: 400·log₁₀(s / (1 − s)).
    ///
    /// Scores outside 0 to 1 are clamped, so the result is infinite.
    ///
    /// # Panics
    /// If `score` is NaN.
    pub fn from_score(score: f64) -> Elo {
        let score = score.clamp(0.0, 1.0);
        Elo::new(400.0 * (score / (1.0 - score)).log10())
    }

    /// The expected score per game of a side stronger by this difference: 1 / (1 + 10^(−Elo/400)).
    pub fn expected_score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }
}

/// The Elo difference estimated from the score of a match, with its 95% interval.
///
/// The interval is computed for the score, where the normal approximation is good, and its ends are then converted to
/// Elo. So it is not symmetric, and an end is infinite if a score of 0 or 1 cannot be excluded on its side. Without
/// games the estimate is 0 and the interval infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct EloEstimate {
    /// The most likely difference.
    pub elo: Elo,
    /// The lower end of the 95% interval, at most [`elo`](EloEstimate::elo).
    pub lower: Elo,
    /// The upper end of the 95% interval, at least [`elo`](EloEstimate::elo).
    pub upper: Elo,
}

impl EloEstimate {
    /// The estimate from a score.
    ///
    /// ```
    /// let elo = stats::EloEstimate::new(&stats::Wdl::new(30, 50, 20).score());
    /// assert_eq!(format!("{:.0} ± {:.0}", elo.elo, elo.margin()), "35 ± 48");
    /// ```
    pub fn new(score: &Score) -> EloEstimate {
        let (lower, upper) = score.interval();
        EloEstimate {
            elo: Elo::from_score(score.mean()),
            lower: Elo::from_score(lower),
            upper: Elo::from_score(upper),
        }
    }

    /// Half the width of the interval, the "±" of a result; infinite if either end is infinite.
    pub fn margin(&self) -> f64 {
        half_width(self.lower.value(), self.upper.value())
    }
}

/// The estimate from the other side's point of view.
impl std::ops::Neg for EloEstimate {
    type Output = EloEstimate;

    fn neg(self) -> EloEstimate {
        EloEstimate { elo: -self.elo, lower: -self.upper, upper: -self.lower }
    }
}

/// Half of the distance; infinite if both ends are the same infinity, as after a long match won with every game.
pub(super) fn half_width(lower: f64, upper: f64) -> f64 {
    let width = upper - lower;
    if width.is_nan() { f64::INFINITY } else { width / 2.0 }
}

/// Serialization of numbers that may be infinite, for `#[serde(with = "…")]`.
///
/// A score of 100% has an infinite Elo, which JSON cannot represent: `serde_json` would write `null` and could not
/// read it back. So finite values are numbers, and infinities are the strings `"inf"` and `"-inf"` in every format.
/// NaN is an error both when writing and when reading.
#[cfg(feature = "serde")]
pub(super) mod open_ended {
    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    /// A number, or an infinity.
    #[derive(Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    pub enum Written {
        Finite(f64),
        Infinite(Infinite),
    }

    #[derive(Deserialize, schemars::JsonSchema)]
    pub enum Infinite {
        #[serde(rename = "inf")]
        Above,
        #[serde(rename = "-inf")]
        Below,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over by reference")]
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        match *value {
            f64::INFINITY => serializer.serialize_str("inf"),
            f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            number if number.is_nan() => Err(ser::Error::custom("a rating must not be NaN")),
            number => serializer.serialize_f64(number),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        match Written::deserialize(deserializer) {
            Ok(Written::Finite(number)) if !number.is_nan() => Ok(number),
            Ok(Written::Infinite(Infinite::Above)) => Ok(f64::INFINITY),
            Ok(Written::Infinite(Infinite::Below)) => Ok(f64::NEG_INFINITY),
            _ => Err(de::Error::custom(r#"expected a number, "inf" or "-inf""#)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scores_and_elo_correspond_from_end_to_end() {
        assert!((Elo::from_score(10.0 / 11.0).value() - 400.0).abs() < 1e-9);
        assert!((Elo::new(400.0).expected_score() - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(Elo::from_score(1.0), Elo::new(f64::INFINITY));
        assert_eq!(Elo::from_score(0.0), Elo::new(f64::NEG_INFINITY));
        assert!(Elo::new(f64::INFINITY).expected_score() >= 1.0);
        assert!(Elo::new(f64::NEG_INFINITY).expected_score() <= 0.0);
    }

    proptest! {
        #[test]
        fn score_and_elo_are_inverse(elo in -2000.0..2000.0f64) {
            prop_assert!((Elo::from_score(Elo::new(elo).expected_score()).value() - elo).abs() < 1e-6);
        }
    }

    #[test]
    fn infinities_survive_json_and_other_words_are_refused() {
        for (elo, json) in [(f64::INFINITY, r#""inf""#), (f64::NEG_INFINITY, r#""-inf""#), (12.5, "12.5")] {
            assert_eq!(serde_json::to_string(&Elo::new(elo)).unwrap(), json);
            assert_eq!(serde_json::from_str::<Elo>(json).unwrap(), Elo::new(elo));
        }
        for json in [r#""NaN""#, "null", r#""infinite""#, "[1]"] {
            assert!(serde_json::from_str::<Elo>(json).is_err(), "{json} was read");
        }
    }
}
