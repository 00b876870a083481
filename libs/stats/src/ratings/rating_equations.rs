//! The equations "points scored are points expected", and their solution by Newton's method.

use arrayvec::ArrayVec;

use super::Encounter;
use super::symmetric_matrix::{Factor, Matrix};
use crate::Wdl;

/// A step is the last one when it changes nothing by more than this, on the natural scale: 0.0002 Elo. Newton's method
/// squares the error with every step, so that what is left is below a billionth of an Elo.
const LAST_STEP: f64 = 1e-6;

/// The likelihood is concave and the method reaches its maximum in about five steps; this many are never needed.
const MOST_STEPS: usize = 200;

const MOST_HALVINGS: usize = 60;

#[derive(Debug)]
pub(super) struct RatingEquations<'a> {
    pub observations: &'a [Observation],
    pub parameters: usize,
    /// Sets of parameters that can be shifted together without changing the expected scores. Their average stays
    /// constant.
    pub adrift: &'a [Vec<usize>],
}

#[derive(Debug)]
pub(super) struct Solution {
    pub parameters: Vec<f64>,
    /// The factor of the information, the negative second derivatives of the likelihood. In the directions in which the
    /// sets that are adrift move it has something positive instead of 0.
    pub information: Factor,
}

impl RatingEquations<'_> {
    /// Solves the equations; they have to have a finite solution.
    pub(super) fn solve(&self, start: Vec<f64>) -> Solution {
        let mut parameters = start;
        let mut likelihood = self.log_likelihood(&parameters);
        let mut steps = 0;
        loop {
            let information = self.factor(&parameters);
            let step = information.solve(&self.excess(&parameters));
            (parameters, likelihood) = self.improve(&parameters, likelihood, &step);
            steps += 1;
            let longest = step.iter().fold(0.0_f64, |longest, change| longest.max(change.abs()));
            if longest < LAST_STEP || steps == MOST_STEPS {
                return Solution { parameters, information };
            }
        }
    }

    /// Takes the step, or half of it, and so on, until the likelihood does not decrease.
    fn improve(&self, from: &[f64], likelihood: f64, step: &[f64]) -> (Vec<f64>, f64) {
        let mut share = 1.0;
        let rounding = likelihood.abs() * f64::EPSILON * 16.0;
        for _ in 0..MOST_HALVINGS {
            let there: Vec<f64> =
                from.iter().zip(step).map(|(value, change)| value + share * change).collect();
            let found = self.log_likelihood(&there);
            if found >= likelihood - rounding {
                return (there, found);
            }
            share /= 2.0;
        }
        (from.to_vec(), likelihood)
    }

    pub(super) fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        self.observations.iter().map(|observation| observation.log_likelihood(parameters)).sum()
    }

    fn excess(&self, parameters: &[f64]) -> Vec<f64> {
        let mut excess = vec![0.0; self.parameters];
        for observation in self.observations {
            let expected = observation.games() * observation.expected(parameters);
            for &(parameter, factor) in &observation.terms {
                excess[parameter] += factor * (observation.results.points() - expected);
            }
        }
        excess
    }

    fn factor(&self, parameters: &[f64]) -> Factor {
        let weights = self.observations.iter().map(|observation| {
            let expected = observation.expected(parameters);
            observation.games() * expected * (1.0 - expected)
        });
        let mut information = self.weighted(weights);
        for set in self.adrift {
            let weight = set.iter().map(|&parameter| information.at(parameter, parameter)).sum::<f64>();
            for &row in set {
                for &column in set {
                    information.add(row, column, weight / (set.len() * set.len()) as f64);
                }
            }
        }
        // Only rounding can keep the matrix from being positive definite; the least addition that mends it is found.
        let scale = (0..self.parameters).fold(0.0_f64, |most, index| most.max(information.at(index, index)));
        let mut addition = scale.max(f64::MIN_POSITIVE) * f64::EPSILON;
        loop {
            if let Some(factor) = information.clone().cholesky() {
                return factor;
            }
            (0..self.parameters).for_each(|index| information.add(index, index, addition));
            addition *= 16.0;
        }
    }

    /// The sum over the observations of the products of their factors, each with its weight.
    pub(super) fn weighted(&self, weights: impl IntoIterator<Item = f64>) -> Matrix {
        let mut sum = Matrix::zero(self.parameters);
        for (observation, weight) in self.observations.iter().zip(weights) {
            for &(row, one) in &observation.terms {
                for &(column, other) in &observation.terms {
                    sum.add(row, column, weight * one * other);
                }
            }
        }
        sum
    }
}

/// An encounter, with the expected score of White as a function of unknown parameters.
///
/// The difference in strength is `known` plus the sum of the parameters times their factors. It is on the natural scale
/// of the logistic function: 1 / (1 + e^(−difference)).
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The part of the difference that does not depend on any parameter.
    pub known: f64,
    /// The parameters that play a part, with their factors: White's rating, Black's, the advantage of the first move.
    pub terms: ArrayVec<(usize, f64), 3>,
    pub results: Wdl,
}

/// Which parameters of the equations the ratings of the players and the advantage of the first move are.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// For each player the index of the parameter; `None` when the rating is fixed, or not estimated.
    pub of_player: Vec<Option<usize>>,
    /// The index of the advantage of the first move; `None` when it is taken to be 0.
    pub white_advantage: Option<usize>,
    pub count: usize,
}

impl Parameters {
    /// One for each of these players, and the last one for the advantage of the first move.
    pub(super) fn new(
        players: usize,
        estimated: impl Iterator<Item = usize>,
        has_advantage: bool,
    ) -> Parameters {
        let mut of_player = vec![None; players];
        let mut count = 0;
        for player in estimated {
            of_player[player] = Some(count);
            count += 1;
        }
        let white_advantage = has_advantage.then_some(count);
        Parameters { of_player, white_advantage, count: count + usize::from(has_advantage) }
    }

    /// What an encounter says about them; `fixed` has the ratings that are known, on the natural scale.
    pub(super) fn observe(&self, encounter: &Encounter, fixed: &[f64]) -> Observation {
        let mut observation = Observation { known: 0.0, terms: ArrayVec::new(), results: encounter.results };
        for (player, factor) in [(encounter.white, 1.0), (encounter.black, -1.0)] {
            match self.of_player[player] {
                Some(parameter) => observation.terms.push((parameter, factor)),
                None => observation.known += factor * fixed[player],
            }
        }
        observation.terms.extend(self.white_advantage.map(|parameter| (parameter, 1.0)));
        observation
    }

    pub(super) fn gather(&self, ratings: &[f64]) -> Vec<f64> {
        let mut parameters = vec![0.0; self.count];
        for (parameter, &rating) in self.of_player.iter().zip(ratings) {
            if let Some(parameter) = *parameter {
                parameters[parameter] = rating;
            }
        }
        parameters
    }

    /// Puts the parameters of players in the place of their ratings.
    pub(super) fn scatter(&self, parameters: &[f64], ratings: &mut [f64]) {
        for (parameter, rating) in self.of_player.iter().zip(ratings) {
            if let Some(parameter) = *parameter {
                *rating = parameters[parameter];
            }
        }
    }
}

impl Observation {
    pub(super) const fn games(&self) -> f64 {
        self.results.games() as f64
    }

    pub(super) fn difference(&self, parameters: &[f64]) -> f64 {
        self.terms.iter().fold(self.known, |sum, &(parameter, factor)| sum + factor * parameters[parameter])
    }

    pub(super) fn expected(&self, parameters: &[f64]) -> f64 {
        logistic(self.difference(parameters))
    }

    pub(super) fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let difference = self.difference(parameters);
        // ln(1 + e^d) without overflow.
        let normaliser = difference.max(0.0) + (-difference.abs()).exp().ln_1p();
        self.results.points() * difference - self.games() * normaliser
    }
}

pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
