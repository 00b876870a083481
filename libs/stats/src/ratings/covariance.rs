//! The covariance of the ratings.

use super::rating_equations::{Observation, RatingEquations, Solution};
use super::symmetric_matrix::{Matrix, dot};

/// The lower limit of 1 − h: the only game between two players fits itself perfectly, which would leave 0.
pub(super) const LEAST_LEFT: f64 = 0.2;

/// Games that are not independent: the observation and White's score of each, and the number of equal clusters.
#[derive(Clone, Debug)]
pub(super) struct ObservedCluster {
    pub games: Vec<(usize, f64)>,
    pub times: f64,
}

/// The covariance of the parameters: A⁻¹·B·A⁻¹, where A is the Fisher information and B the variance of the score function
/// (Huber, "The Behavior of Maximum Likelihood Estimates under Nonstandard Conditions", 1967; White, "Maximum Likelihood
/// Estimation of Misspecified Models", Econometrica 50, 1982; for clusters Liang and Zeger, "Longitudinal Data Analysis
/// Using Generalized Linear Models", Biometrika 73, 1986).
///
/// A alone would treat every game as an independent win or loss, but draws scatter less, and the games of a pair or an
/// opening are correlated. So B is the sum over the clusters of the squared sum of score minus expected score. It has two
/// corrections for few games:
///
/// - Residuals are too small, since the estimate fits its own games. The squares are divided by 1 − h, where h is the
///   cluster's share of the information in its own direction; for single games this is HC2 (Long and Ervin, "Using
///   Heteroscedasticity Consistent Standard Errors in the Linear Regression Model", The American Statistician 54, 2000).
/// - Draws alone would give a variance of 0. So one game of each player counts with the variance of a win or a loss.
#[derive(Debug)]
pub(super) struct Covariance {
    inverse: Matrix,
    /// A⁻¹·B.
    half: Matrix,
    /// The factor of the variances by games that allows for few clusters.
    widening: f64,
}

impl Covariance {
    /// The covariance at the solution. `unseen` is, for each observation, the number of games that count with the variance
    /// of a win or a loss.
    pub(super) fn new(
        equations: &RatingEquations<'_>,
        solution: &Solution,
        clusters: &[ObservedCluster],
        unseen: &[f64],
        widening: f64,
    ) -> Covariance {
        let inverse = solution.information.inverse();
        let observed = equations.observations.iter();
        let expected: Vec<f64> = observed.map(|one| one.expected(&solution.parameters)).collect();
        let weights = expected
            .iter()
            .zip(unseen)
            .map(|(expected, unseen)| widening * unseen * expected * (1.0 - expected));
        let mut variance = equations.weighted(weights);
        let mut excess = vec![0.0; equations.parameters];
        let mut along = vec![0.0; equations.parameters];
        let mut is_touched = vec![false; equations.parameters];
        let mut touched: Vec<usize> = Vec::new();
        for ObservedCluster { games, times } in clusters {
            for &(observation, score) in games {
                for &(parameter, factor) in &equations.observations[observation].terms {
                    if !is_touched[parameter] {
                        is_touched[parameter] = true;
                        touched.push(parameter);
                    }
                    excess[parameter] += factor * (score - expected[observation]);
                }
            }
            for &parameter in &touched {
                let row = inverse.row(parameter);
                along[parameter] = touched.iter().map(|&other| row[other] * excess[other]).sum();
            }
            let all: f64 = touched.iter().map(|&parameter| excess[parameter] * along[parameter]).sum();
            if all > 0.0 {
                let moved = |observation: &Observation| -> f64 {
                    observation.terms.iter().map(|&(parameter, factor)| factor * along[parameter]).sum()
                };
                let own: f64 = games
                    .iter()
                    .map(|&(observation, _)| {
                        let expected = expected[observation];
                        expected * (1.0 - expected) * moved(&equations.observations[observation]).powi(2)
                    })
                    .sum();
                let weight = widening * times / (1.0 - own / all).max(LEAST_LEFT);
                for &row in &touched {
                    for &column in &touched {
                        variance.add(row, column, weight * excess[row] * excess[column]);
                    }
                }
            }
            for parameter in touched.drain(..) {
                (excess[parameter], is_touched[parameter]) = (0.0, false);
            }
        }
        let half = variance.times(&inverse).transposed();
        Covariance { inverse, half, widening }
    }

    /// The variance of a linear combination of parameters, given as parameters and factors.
    pub(super) fn variance(&self, contrast: &[(usize, f64)]) -> f64 {
        let of = |&(row, one): &(usize, f64)| -> f64 {
            let with = |&(column, other): &(usize, f64)| {
                one * other * dot(self.half.row(row), self.inverse.row(column))
            };
            contrast.iter().map(with).sum()
        };
        contrast.iter().map(of).sum::<f64>().max(0.0)
    }

    pub(super) const fn widening(&self) -> f64 {
        self.widening
    }

    /// A⁻¹ times the factors: how the most likely parameters move if this linear combination is changed.
    pub(super) fn direction(&self, contrast: &[(usize, f64)]) -> Vec<f64> {
        let mut direction = vec![0.0; contrast.first().map_or(0, |(one, _)| self.inverse.row(*one).len())];
        for &(parameter, factor) in contrast {
            let row = self.inverse.row(parameter).iter();
            direction.iter_mut().zip(row).for_each(|(along, cell)| *along += factor * cell);
        }
        direction
    }
}
