//! One encounter as the equations see it.

use arrayvec::ArrayVec;

use super::Encounter;
use crate::Wdl;

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
    /// The results as White saw them.
    pub results: Wdl,
}

/// Which parameters of the equations the ratings of the players and the advantage of the first move are.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// For each player the index of the parameter; `None` when the rating is fixed, or not estimated.
    pub of_player: Vec<Option<usize>>,
    /// The index of the advantage of the first move; `None` when it is taken to be 0.
    pub white_advantage: Option<usize>,
    /// How many there are.
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

    /// The parameters of players with these ratings; the advantage of the first move is 0.
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
    /// The number of games.
    pub(super) const fn games(&self) -> f64 {
        self.results.games() as f64
    }

    /// The difference in strength, in White's favour.
    pub(super) fn difference(&self, parameters: &[f64]) -> f64 {
        self.terms.iter().fold(self.known, |sum, &(parameter, factor)| sum + factor * parameters[parameter])
    }

    /// The expected score of White per game.
    pub(super) fn expected(&self, parameters: &[f64]) -> f64 {
        logistic(self.difference(parameters))
    }

    /// The logarithm of the likelihood, a draw counting as half a win and half a loss.
    pub(super) fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let difference = self.difference(parameters);
        // ln(1 + e^d) without overflow.
        let normaliser = difference.max(0.0) + (-difference.abs()).exp().ln_1p();
        self.results.points() * difference - self.games() * normaliser
    }
}

/// 1 / (1 + e^(−x)).
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
