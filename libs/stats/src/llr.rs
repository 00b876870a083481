//! The log-likelihood ratio of a sequential test.

use std::fmt;
use std::ops::Neg;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Elo, NormalizedElo, Sprt, SprtModel};

/// The natural log-likelihood ratio of H1 and H0; a positive one supports H1. Always finite when an
/// [`Sprt`] computed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, JsonSchema, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Llr(f64);

impl Llr {
    /// A ratio in natural logarithms.
    pub const fn new(value: f64) -> Llr {
        Llr(value)
    }

    /// The ratio as a plain number.
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

/// The bare number; precision, sign and width are the caller's (`{:.2}`). What is rounded to zero has no minus.
impl fmt::Display for Llr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = |digits: usize| format!("{:.digits$}", self.0).parse().unwrap_or(self.0);
        let is_zero = f.precision().map_or(self.0, rounded) == 0.0;
        if is_zero { 0.0_f64.fmt(f) } else { self.0.fmt(f) }
    }
}

impl Sprt {
    /// What the two hypotheses say about an observation of so many games: its mean score by the logistic model, its
    /// t-value by the normalized one.
    pub(super) fn hypotheses(&self, games_per_observation: u32) -> (f64, f64) {
        let of = |elo| self.model().hypothesis(elo, games_per_observation);
        (of(self.elo0()), of(self.elo1()))
    }
}

impl SprtModel {
    /// What results with this mean and variance say in the scale of the hypotheses, and the variance of an observation
    /// there.
    pub(super) fn centre(self, mean: f64, variance: f64) -> (f64, f64) {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => (mean, variance),
            SprtModel::Normalized => ((mean - 0.5) / variance.sqrt(), 1.0),
        }
    }

    /// What a difference in Elo says about an observation of so many games: its mean score, or its t-value.
    pub(super) fn hypothesis(self, elo: f64, games_per_observation: u32) -> f64 {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => Elo::new(elo).expected_score(),
            // The mean of two games spreads √2 less than one game, so the same lead is √2 more deviations.
            SprtModel::Normalized => {
                NormalizedElo::new(elo).t_value() * f64::from(games_per_observation).sqrt()
            }
        }
    }
}

/// The mean and the standard deviation of what one observation adds to the ratio, in natural logarithms.
///
/// To first order: with the hypotheses Δ standard deviations of an observation apart, and the truth δ of them above
/// their middle, the mean is Δ·δ and the deviation Δ (Van den Bergh, "A practical introduction to the GSPRT").
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LlrSteps {
    pub mean: f64,
    pub deviation: f64,
}

impl LlrSteps {
    /// For observations with this mean score and standard deviation, from 0 to 1 each.
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

    /// The variance, unless the observations are all alike.
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
