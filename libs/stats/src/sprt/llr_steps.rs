//! How one observation moves the log-likelihood ratio of a test.

use crate::{Sprt, SprtModel};

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
