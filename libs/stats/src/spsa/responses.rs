//! What a run has learned about its parameters: how strongly each changes the engine's strength, and where it is best.
//!
//! The model: every parameter has a best value, and with the distance from it the strength falls as a parabola. Nobody
//! knows how steep the parabola is, so each parameter has several hypotheses about it. One of them is that it has no effect.
//! Under each hypothesis the best value is normally distributed, and a Kalman filter updates it after every pair of games.
//! The weights of the hypotheses follow from Bayes' theorem. For each parameter, what the others contribute to the result
//! of a pair is noise of known mean and variance (assumed density filtering: Opper, "A Bayesian approach to on-line
//! learning", 1998). All parameters share a prior for the curvature, which is estimated from their weights.

use std::f64::consts::LN_10;

use super::{ParameterKind, SpsaParameter, SpsaPlan};
use crate::Elo;
use crate::normal::Z_95;

/// The hypotheses about a parameter's effect: the Elo lost at a quarter of its range from the best value.
const LOSSES: [f64; HYPOTHESES] = [0.0, 0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0];

const HYPOTHESES: usize = 8;

/// The prior probability of no effect.
const IDLE: f64 = 0.2;

/// The Elo that the start values of all parameters together lose in the prior, on average.
const LOST_AT_START: f64 = 20.0;

/// The largest standard deviation of a best value in the prior, in ranges.
const FARTHEST: f64 = 0.3;

/// The Elo lost by one step of a parameter, and by the steps of all parameters together.
const STEP_LOSS: f64 = 8.0;
const LOSS_OF_ALL: f64 = 150.0;

/// The largest and the smallest step, in ranges.
const STEPS: [f64; 2] = [0.25, 0.005];

/// The shared prior of the curvature is estimated after every so many pairs.
const PAIRS_PER_PRIOR: u32 = 50;

/// The weight of the first prior, in parameters.
const PRIOR_PARAMETERS: f64 = 3.0;

/// The weight of the assumed noise, in pairs, and its variance in points per game.
const NOISE_PAIRS: f64 = 20.0;
const NOISE: f64 = 0.05;

/// The derivative of the expected score by Elo, divided by the variance of a game without draws.
const LOGISTIC: f64 = LN_10 / 400.0;

/// What is known about the parameters of a run. Values are in ranges from the start value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Responses {
    all: Vec<Response>,
    /// The shared prior of the hypotheses.
    prior: [f64; HYPOTHESES],
    pairs: u32,
    /// The sum of the squared differences between the scores of pairs, in points per game, and what was expected.
    noise: f64,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Response {
    start: f64,
    range: f64,
    /// The bounds and the smallest useful step, in ranges from the start value.
    bounds: [f64; 2],
    smallest_step: f64,
    /// For each hypothesis, the mean and the variance of the best value, and the logarithm of its weight.
    means: [f64; HYPOTHESES],
    variances: [f64; HYPOTHESES],
    log_weights: [f64; HYPOTHESES],
}

/// What is known about one parameter. Elo differences are expected values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", derive(schemars::JsonSchema))]
pub struct LearnedParameter {
    /// The interval that holds the best value with a probability of 95%, if the model is right.
    pub likely: [f64; 2],
    /// The Elo gained by the change from the start value.
    pub gain: f64,
    /// The Elo that the best value would gain over the current value.
    pub left: f64,
    /// The Elo difference between the best value and the start value.
    pub lost_at_start: f64,
}

/// The second derivative of the Elo lost, by the distance from the best value in ranges.
fn curvature(hypothesis: usize) -> f64 {
    // Half of the curvature times the square of a quarter is the loss.
    LOSSES[hypothesis] * 32.0
}

impl SpsaPlan {
    /// The 95% error, in Elo, with which the run measures the difference between the two ends of a parameter's step, if 60% of
    /// the games are drawn.
    ///
    /// ```
    /// # use stats::{ParameterKind, SpsaParameter, SpsaPlan, Steps};
    /// # let kind = ParameterKind::Int;
    /// # let parameters = vec![SpsaParameter {
    /// #     name: "Margin".to_owned(), kind, value: 5.0, min: 0.0, max: 9.0, c_end: 1.0, r_end: 0.1
    /// # }];
    /// # let steps = Steps::Learned { worth: 1.0 };
    /// let plan = SpsaPlan { pairs: 10_000, alpha: 0.6, gamma: 0.1, stability: 0.1, delay: 8, seed: 1, steps, known: vec![], parameters };
    /// assert_eq!(format!("{:.1}", plan.resolution()), "3.0");
    /// ```
    pub fn resolution(&self) -> f64 {
        let per_pair = (NOISE / f64::from(self.pairs.max(1))).sqrt();
        Z_95 * per_pair * 4.0 / LOGISTIC
    }
}

impl Responses {
    pub(super) fn new(parameters: &[SpsaParameter]) -> Responses {
        let others = (1.0 - IDLE) / (HYPOTHESES - 1) as f64;
        let prior: [f64; HYPOTHESES] = std::array::from_fn(|index| if index == 0 { IDLE } else { others });
        let lost = LOST_AT_START / parameters.len() as f64;
        let variances = std::array::from_fn(|index| match index {
            0 => 0.0,
            _ => (2.0 * lost / curvature(index)).min(FARTHEST * FARTHEST),
        });
        let response = |parameter: &SpsaParameter| {
            let range = parameter.max - parameter.min;
            let smallest_step = match parameter.kind {
                ParameterKind::Int => 0.5 / range,
                ParameterKind::Float => 0.0,
            };
            Response {
                start: parameter.value,
                range,
                bounds: [parameter.min, parameter.max].map(|bound| (bound - parameter.value) / range),
                smallest_step: smallest_step.max(STEPS[1]),
                means: [0.0; HYPOTHESES],
                variances,
                log_weights: prior.map(f64::ln),
            }
        };
        Responses { all: parameters.iter().map(response).collect(), prior, pairs: 0, noise: 0.0 }
    }

    /// The value of each parameter that loses the least Elo on average.
    pub(super) fn values(&self) -> Vec<f64> {
        self.all.iter().map(|response| response.value(response.best())).collect()
    }

    /// The distance of either engine's value from the current value, for each parameter.
    pub(super) fn steps(&self) -> Vec<f64> {
        let loss = STEP_LOSS.min(LOSS_OF_ALL / self.all.len() as f64);
        self.all.iter().map(|response| response.step(loss) * response.range).collect()
    }

    pub(super) fn learned(&self) -> Vec<LearnedParameter> {
        self.all.iter().map(Response::learned).collect()
    }

    /// The learning rate of SPSA for so many pairs, for each parameter. Even if the rate did not fall, the value would cover
    /// 95% of the way to the best value.
    pub(super) fn rates(&self, pairs: u32) -> Vec<f64> {
        let rate = |response: &Response, step: f64| {
            let loss = response.typical_curvature() / 2.0 * (step / response.range).powi(2);
            12.0 / (16.0 * f64::from(pairs) * LOGISTIC * loss.max(0.1))
        };
        self.all.iter().zip(self.steps()).map(|(response, step)| rate(response, step)).collect()
    }

    /// Learns from the score of a pair: wins minus losses of the first engine, which had the first of the two `ends`.
    pub(super) fn learn(&mut self, ends: &[Vec<f64>; 2], score: f64) {
        let played: Vec<Played> = (self.all.iter().enumerate())
            .map(|(index, response)| response.played([&ends[0], &ends[1]].map(|end| end[index])))
            .collect();
        let difference: f64 = played.iter().map(|played| played.mean).sum();
        let expected = Elo::new(difference).expected_score().clamp(0.1, 0.9);
        let surprise = score / 4.0 + 0.5 - expected;
        self.pairs += 1;
        self.noise += surprise * surprise;
        // Around the expected score, the score is a linear function of the Elo difference.
        let slope = LOGISTIC * expected * (1.0 - expected);
        let noise =
            (self.noise + NOISE * NOISE_PAIRS) / (f64::from(self.pairs) + NOISE_PAIRS) / (slope * slope);
        let variance: f64 = played.iter().map(|played| played.variance).sum();
        for (response, own) in self.all.iter_mut().zip(&played) {
            response.learn(own, own.mean + surprise / slope, noise + variance - own.variance);
        }
        if self.pairs.is_multiple_of(PAIRS_PER_PRIOR) {
            self.share();
        }
    }

    /// Estimates the shared prior of the curvature from the weights of all parameters.
    fn share(&mut self) {
        let weights: Vec<_> = self.all.iter().map(Response::weights).collect();
        let live: f64 = weights.iter().map(|weights| 1.0 - weights[0]).sum();
        let all = live + PRIOR_PARAMETERS;
        let prior = std::array::from_fn(|index| {
            if index == 0 {
                return IDLE;
            }
            let found: f64 = weights.iter().map(|weights| weights[index]).sum();
            (1.0 - IDLE) * (found + PRIOR_PARAMETERS / (HYPOTHESES - 1) as f64) / all
        });
        for response in &mut self.all {
            for (index, weight) in response.log_weights.iter_mut().enumerate() {
                *weight += (prior[index] / self.prior[index]).ln();
            }
        }
        self.prior = prior;
    }
}

/// What a parameter contributed to a pair.
struct Played {
    /// The first engine's value minus the other's, and the mean of the two.
    difference: f64,
    middle: f64,
    /// The mean and the variance of the contribution to the Elo difference.
    mean: f64,
    variance: f64,
}

impl Response {
    fn weights(&self) -> [f64; HYPOTHESES] {
        let most = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = self.log_weights.map(|weight| (weight - most).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// The mean of a function of the hypothesis.
    fn mean_of(&self, value: impl Fn(usize) -> f64) -> f64 {
        self.weights().iter().enumerate().map(|(index, weight)| weight * value(index)).sum()
    }

    /// The best value on average, weighted by how much it costs to miss it.
    fn best(&self) -> f64 {
        let best = self.mean_of(|index| curvature(index) * self.means[index]) / self.mean_of(curvature);
        if best.is_finite() { best.clamp(self.bounds[0], self.bounds[1]) } else { 0.0 }
    }

    fn value(&self, ranges: f64) -> f64 {
        self.start + ranges * self.range
    }

    /// The geometric mean of the curvature, if there is any.
    fn typical_curvature(&self) -> f64 {
        let live = self.mean_of(|index| if index == 0 { 0.0 } else { 1.0 });
        (self.mean_of(|index| if index == 0 { 0.0 } else { curvature(index).ln() }) / live.max(1e-9)).exp()
    }

    fn step(&self, loss: f64) -> f64 {
        (2.0 * loss / self.typical_curvature()).sqrt().min(STEPS[0]).max(self.smallest_step)
    }

    fn played(&self, ends: [f64; 2]) -> Played {
        let [first, second] = ends.map(|end| (end - self.start) / self.range);
        let (difference, middle) = (first - second, f64::midpoint(first, second));
        let factor = |index| difference * curvature(index);
        let mean_of = |index: usize| factor(index) * (self.means[index] - middle);
        let mean = self.mean_of(mean_of);
        let square =
            self.mean_of(|index| factor(index).powi(2) * self.variances[index] + mean_of(index).powi(2));
        Played { difference, middle, mean, variance: (square - mean * mean).max(0.0) }
    }

    /// Learns from a contribution to an Elo difference that was observed with noise of this variance.
    fn learn(&mut self, played: &Played, observed: f64, noise: f64) {
        for index in 0..HYPOTHESES {
            let factor = played.difference * curvature(index);
            let surprise = observed - factor * (self.means[index] - played.middle);
            let variance = noise + factor * factor * self.variances[index];
            let gain = self.variances[index] * factor / variance;
            self.means[index] += gain * surprise;
            self.variances[index] -= gain * factor * self.variances[index];
            self.log_weights[index] -= 0.5 * (surprise * surprise / variance + variance.ln());
        }
        // Only the differences matter, and they stay exact if the numbers stay small.
        let most = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.log_weights = self.log_weights.map(|weight| weight - most);
    }

    fn learned(&self) -> LearnedParameter {
        let best = self.best();
        let half = |index| curvature(index) / 2.0;
        let square = |index: usize| self.variances[index] + (self.means[index] - best).powi(2);
        let left = self.mean_of(|index| half(index) * square(index));
        let spread = Z_95 * (left / self.mean_of(half)).sqrt();
        let likely = [-spread, spread].map(|side| (best + side).clamp(self.bounds[0], self.bounds[1]));
        LearnedParameter {
            likely: likely.map(|end| self.value(end)),
            gain: self.mean_of(|index| half(index) * best * (2.0 * self.means[index] - best)),
            left,
            lost_at_start: self
                .mean_of(|index| half(index) * (self.variances[index] + self.means[index].powi(2))),
        }
    }
}
