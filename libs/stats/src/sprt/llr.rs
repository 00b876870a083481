//! The log-likelihood ratio of a sequential test.

use std::fmt;

/// The natural log-likelihood ratio of H1 and H0; a positive one supports H1. Always finite when an
/// `Sprt` computed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, derive_more::Neg)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Llr(f64);

impl Llr {
    /// A ratio given as a natural logarithm.
    pub const fn new(value: f64) -> Llr {
        Llr(value)
    }

    /// The ratio as a plain number, in natural logarithms.
    pub const fn value(self) -> f64 {
        self.0
    }
}

/// The bare number, in the format that the caller sets (`{:.2}`). A value that rounds to zero has no minus.
impl fmt::Display for Llr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = |digits: usize| format!("{:.digits$}", self.0).parse().unwrap_or(self.0);
        let is_zero = f.precision().map_or(self.0, rounded) == 0.0;
        if is_zero { 0.0_f64.fmt(f) } else { self.0.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_minus() {
        for (value, text) in [(-0.004, "0.00"), (-0.0, "0.00"), (-0.006, "-0.01"), (0.004, "0.00")] {
            assert_eq!(format!("{:.2}", Llr::new(value)), text);
        }
        assert_eq!((Llr::new(-0.004).to_string(), Llr::new(-0.0).to_string()), ("-0.004".into(), "0".into()));
    }
}
