//! The equations "points scored = points expected", and their solution by Newton's method.

use arrayvec::ArrayVec;

use super::Encounter;
use super::symmetric_matrix::{Factor, Matrix};
use crate::Wdl;

/// The solution is found when no parameter changes by more than this, on the natural scale: 0.0002 Elo. Newton's method
/// squares the error with every step, so the remaining error is below a billionth of an Elo.
const LAST_STEP: f64 = 1e-6;

/// An upper limit: the likelihood is concave, and the method reaches its maximum in about five steps.
const MOST_STEPS: usize = 200;

const MOST_HALVINGS: usize = 60;

#[derive(Debug)]
pub(super) struct RatingEquations<'a> {
    pub observations: &'a [Observation],
    pub parameters: usize,
    /// Sets of parameters that can be shifted together without changing the expected scores. Their average is kept
    /// constant.
    pub adrift: &'a [Vec<usize>],
    pub given: &'a [Given],
}

/// A parameter that was observed with an error: its value, and one over the squared error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub parameter: usize,
    pub value: f64,
    pub precision: f64,
}

impl Given {
    pub(super) fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        -self.precision * (parameters[self.parameter] - self.value).powi(2) / 2.0
    }
}

#[derive(Debug)]
pub(super) struct Solution {
    pub parameters: Vec<f64>,
    /// The Cholesky factor of the information, the negative second derivatives of the log-likelihood. In the directions
    /// of the shifts in `adrift`, in which the information is 0, it is made positive.
    pub information: Factor,
}

impl RatingEquations<'_> {
    /// Solves the equations, which must have a finite solution.
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

    /// Takes the step, halved until the likelihood does not decrease.
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
        let of_games = self.observations.iter().map(|observation| observation.log_likelihood(parameters));
        of_games.chain(self.given.iter().map(|given| given.log_likelihood(parameters))).sum()
    }

    fn excess(&self, parameters: &[f64]) -> Vec<f64> {
        let mut excess = vec![0.0; self.parameters];
        for given in self.given {
            excess[given.parameter] += given.precision * (given.value - parameters[given.parameter]);
        }
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
        // Only rounding can keep the matrix from being positive definite; a small addition, found by trial, helps.
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

    /// The weighted sum over the observations of the outer products of their factors, and what is given.
    pub(super) fn weighted(&self, weights: impl IntoIterator<Item = f64>) -> Matrix {
        let mut sum = Matrix::zero(self.parameters);
        for given in self.given {
            sum.add(given.parameter, given.parameter, given.precision);
        }
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

/// An encounter, with White's expected score as a function of unknown parameters.
///
/// The difference in strength is `known` plus the sum of the parameters times their factors, on the natural scale of
/// the logistic function: 1 / (1 + e^(−difference)).
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The part of the difference that depends on no parameter.
    pub known: f64,
    /// The parameters of the difference, with their factors: White's rating, Black's rating, White's advantage.
    pub terms: ArrayVec<(usize, f64), 3>,
    pub results: Wdl,
}

/// The indices of the ratings and of White's advantage among the parameters of the equations.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// For each player the index of its parameter; `None` if the rating is fixed or not estimated.
    pub of_player: Vec<Option<usize>>,
    /// The index of White's advantage; `None` if it is taken as 0.
    pub white_advantage: Option<usize>,
    pub count: usize,
}

impl Parameters {
    /// One parameter for each of the `estimated` players, and the last one for White's advantage.
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

    /// An encounter as an observation of these parameters; `fixed` has the known ratings on the natural scale.
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

    /// Writes the parameters of players over their ratings.
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
