//! The log-likelihood ratio of a sequential test.

use std::fmt;
use std::ops::Neg;

use super::{Elo, NormalizedElo, Sprt, SprtModel};

/// The natural log-likelihood ratio of H1 and H0; a positive one supports H1. Always finite when an
/// [`Sprt`] computed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(transparent)
)]
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

impl Neg for Llr {
    type Output = Llr;

    fn neg(self) -> Llr {
        Llr(-self.0)
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

impl Sprt {
    /// The two hypotheses for an observation of this many games: a mean score in the logistic model, a t-value in the
    /// normalized one.
    pub(super) fn hypotheses(&self, games_per_observation: u32) -> (f64, f64) {
        let of = |elo| self.model().hypothesis(elo, games_per_observation);
        (of(self.elo0()), of(self.elo1()))
    }
}

impl SprtModel {
    /// The estimate on the scale of the hypotheses and the variance of an observation on that scale, given the mean
    /// and variance of the results.
    pub(super) fn centre(self, mean: f64, variance: f64) -> (f64, f64) {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => (mean, variance),
            SprtModel::Normalized => ((mean - 0.5) / variance.sqrt(), 1.0),
        }
    }

    /// A difference in Elo as the mean score or the t-value of an observation of this many games.
    pub(super) fn hypothesis(self, elo: f64, games_per_observation: u32) -> f64 {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => Elo::new(elo).expected_score(),
            // The mean of two games has a standard deviation smaller by √2, so the same lead is a larger t-value.
            SprtModel::Normalized => {
                NormalizedElo::new(elo).t_value() * f64::from(games_per_observation).sqrt()
            }
        }
    }
}

/// The mean and standard deviation of what one observation adds to the log-likelihood ratio.
///
/// To first order: if the hypotheses are Δ standard deviations of an observation apart, and the truth δ above their
/// middle, the mean is Δ·δ and the deviation Δ (Van den Bergh, "A practical introduction to the GSPRT").
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LlrSteps {
    pub mean: f64,
    pub deviation: f64,
}

impl LlrSteps {
    /// The steps for observations with this mean score and standard deviation, each from 0 to 1.
    pub fn new(test: &Sprt, games_per_observation: u32, (mean, deviation): (f64, f64)) -> LlrSteps {
        let (h0, h1) = test.hypotheses(games_per_observation);
        let (apart, from_middle) = match test.model() {
            SprtModel::Logistic | SprtModel::Bayesian => {
                ((h1 - h0) / deviation, (mean - h0.midpoint(h1)) / deviation)
            }
            SprtModel::Normalized => (h1 - h0, (mean - 0.5) / deviation - h0.midpoint(h1)),
        };
        LlrSteps { mean: apart * from_middle, deviation: apart }
    }

    /// The variance; `None` if the observations never vary.
    pub fn variance(&self) -> Option<f64> {
        let variance = self.deviation * self.deviation;
        (variance.is_finite() && variance > 0.0).then_some(variance)
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
