//! The covariance of the ratings.

use super::observation::Observation;
use super::rating_equations::{RatingEquations, Solution};
use super::symmetric_matrix::{Matrix, dot};

/// What is left of a residual at least, though the only game that joins two players is explained entirely by itself.
const LEAST_LEFT: f64 = 0.2;

/// The covariance of the parameters: A⁻¹·B·A⁻¹, where A is the information of the likelihood and B the variance of its
/// derivatives (Huber, "The Behavior of Maximum Likelihood Estimates under Nonstandard Conditions", 1967; White,
/// "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982).
///
/// A alone takes every game for a win or a loss, but draws scatter less. So B is the sum of the squared differences
/// between scores and expected scores. Two corrections for few games:
///
/// - An estimate fits its own games too closely. The squared residuals are divided by 1 − h, where h is the share of a
///   game in its own expectation (the correction HC2 in Long and Ervin, "Using Heteroscedasticity Consistent Standard
///   Errors in the Linear Regression Model", The American Statistician 54, 2000).
/// - Draws alone would give a variance of zero. So one game of each player counts with the variance of a win or a loss.
#[derive(Debug)]
pub(super) struct Covariance {
    inverse: Matrix,
    /// A⁻¹·B.
    half: Matrix,
}

impl Covariance {
    /// The covariance at the solution. `unseen` has for each observation the number of games that count as if they had
    /// no draws.
    pub(super) fn new(equations: &RatingEquations<'_>, solution: &Solution, unseen: &[f64]) -> Covariance {
        let inverse = solution.information.inverse();
        let weights = equations.observations.iter().zip(unseen).map(|(observation, unseen)| {
            let expected = observation.expected(&solution.parameters);
            let binomial = expected * (1.0 - expected);
            let left = 1.0 - binomial * quadratic_form(&inverse, observation);
            observation.squared_residuals(expected) / left.max(LEAST_LEFT) + unseen * binomial
        });
        let half = equations.weighted(weights).times(&inverse).transposed();
        Covariance { inverse, half }
    }

    /// The covariance of two parameters.
    pub(super) fn of(&self, one: usize, other: usize) -> f64 {
        dot(self.half.row(one), self.inverse.row(other))
    }
}

/// xᵀ·M·x, where x has the factors of the observation.
fn quadratic_form(matrix: &Matrix, observation: &Observation) -> f64 {
    let of_row = |&(row, one): &(usize, f64)| -> f64 {
        observation.terms.iter().map(|&(column, other)| one * other * matrix.at(row, column)).sum()
    };
    observation.terms.iter().map(of_row).sum()
}
