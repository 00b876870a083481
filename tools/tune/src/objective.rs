//! What the fit makes small: how far expectations are from what came of the positions.
//!
//! An evaluation of `v` centipawns expects the score `1 / (1 + exp(-K v))` of the game, and the loss is the mean square
//! of what that is wrong by, as Peter Österlund did it for Texel (2014). Cross-entropy, the logarithm of the
//! probability, would be the usual choice for probabilities; but a won game that is thrown away with the last move
//! would count without bound, and pull the hardest of all. Here a position counts at most 1.

use super::data_set::{DataSet, Example};
use super::labelled_position::Label;
use super::model::{Evaluated, Weights};
use super::parts::in_parts;

/// The loss as a function of the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// How much expectation a centipawn of the evaluation brings: `K`.
    pub scale: f64,
    /// The same for the scores that players announced; theirs may be other centipawns.
    pub score_scale: f64,
    /// How much the announced scores count, from 0 to 1; the results of the games count for the rest.
    pub lambda: f64,
}

/// The sum of losses over some positions and its gradient.
#[derive(Clone, Debug)]
struct Sums {
    loss: f64,
    gradient: Weights,
}

impl Objective {
    /// What White is to expect of a position, in points. Where nobody announced a score, the result counts alone.
    pub fn target(&self, label: Label) -> f64 {
        let result = f64::from(label.half_points) / 2.0;
        match label.score {
            None => result,
            Some(score) => {
                let announced = expectation(self.score_scale * f64::from(score));
                self.lambda * announced + (1.0 - self.lambda) * result
            }
        }
    }

    /// The mean loss of positions.
    pub fn loss(&self, data: &DataSet, positions: &[u32], weights: &[[f64; 2]], threads: usize) -> f64 {
        let of_part = |positions: &[u32]| -> f64 {
            positions.iter().map(|&index| self.error(&data.get(index), weights).powi(2)).sum()
        };
        in_parts(positions, threads, of_part).into_iter().sum::<f64>() / positions.len() as f64
    }

    /// The mean loss of positions and its gradient by the weights.
    pub fn gradient(
        &self,
        data: &DataSet,
        positions: &[u32],
        weights: &[[f64; 2]],
        threads: usize,
    ) -> (f64, Weights) {
        let parts = in_parts(positions, threads, |positions| self.sums(data, positions, weights));
        let share = 1.0 / positions.len() as f64;
        let mut gradient = vec![[0.0; 2]; weights.len()];
        for part in &parts {
            for (sum, slope) in gradient.iter_mut().zip(&part.gradient) {
                sum[0] += slope[0] * share;
                sum[1] += slope[1] * share;
            }
        }
        (parts.iter().map(|part| part.loss).sum::<f64>() * share, gradient)
    }

    fn sums(&self, data: &DataSet, positions: &[u32], weights: &[[f64; 2]]) -> Sums {
        let mut sums = Sums { loss: 0.0, gradient: vec![[0.0; 2]; weights.len()] };
        for &index in positions {
            let example = data.get(index);
            let evaluated = Evaluated::new(&example, weights);
            let expected = expectation(self.scale * evaluated.value);
            let error = expected - self.target(example.label);
            sums.loss += error * error;
            let factor = 2.0 * error * expected * (1.0 - expected) * self.scale;
            evaluated.add_derivatives(&example, factor, &mut sums.gradient);
        }
        sums
    }

    fn error(&self, example: &Example<'_>, weights: &[[f64; 2]]) -> f64 {
        expectation(self.scale * Evaluated::new(example, weights).value) - self.target(example.label)
    }
}

/// The logistic function.
pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use tarrasch::eval::Coefficients;

    use super::*;
    use crate::made_up::{made_up_data, made_up_weights};

    const OBJECTIVE: Objective = Objective { scale: 0.006, score_scale: 0.004, lambda: 0.3 };

    #[test]
    fn the_target_lies_between_the_result_and_the_score() {
        let label = |half_points, score| Label { half_points, score };
        assert!((OBJECTIVE.target(label(2, None)) - 1.0).abs() < 1e-12);
        assert!((OBJECTIVE.target(label(0, Some(0))) - 0.15).abs() < 1e-12);
        let announced = expectation(0.4);
        assert!((OBJECTIVE.target(label(1, Some(100))) - (0.3 * announced + 0.35)).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_is_what_differences_of_the_loss_are() {
        let data = made_up_data(60, 3, |value| value as i16);
        let positions: Vec<u32> = (0..60).collect();
        // Between whole numbers no attack has a danger of exactly zero, where its worth has a bend.
        let weights: Vec<[f64; 2]> =
            made_up_weights(8).iter().map(|weight| weight.map(|part| part + 0.37)).collect();
        let (loss, gradient) = OBJECTIVE.gradient(&data, &positions, &weights, 2);
        assert!((loss - OBJECTIVE.loss(&data, &positions, &weights, 2)).abs() < 1e-12);
        for (place, part) in (0..weights.len()).flat_map(|place| [(place, 0), (place, 1)]) {
            let shifted = |by: f64| {
                let mut weights = weights.clone();
                weights[place][part] += by;
                OBJECTIVE.loss(&data, &positions, &weights, 1)
            };
            let difference = (shifted(1e-3) - shifted(-1e-3)) / 2e-3;
            assert!(
                (gradient[place][part] - difference).abs() < 1e-9,
                "{place}: {gradient:?} and {difference}"
            );
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let data = made_up_data(500, 3, |value| value as i16);
        let positions: Vec<u32> = (0..500).rev().collect();
        let weights = made_up_weights(8);
        let with = |threads| OBJECTIVE.gradient(&data, &positions, &weights, threads);
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(7));
    }

    #[test]
    fn a_position_that_is_judged_right_is_no_loss() {
        let mut data = DataSet::default();
        let coefficients =
            Coefficients { phase: 12, scale: 64, linear: vec![(0, 1)], danger: [vec![], vec![]] };
        data.push(&coefficients, Label { half_points: 1, score: Some(0) });
        assert!(OBJECTIVE.loss(&data, &[0], &[[0.0; 2]], 1) < 1e-12);
        assert!(OBJECTIVE.loss(&data, &[0], &[[900.0; 2]], 1) > 0.2);
    }
}
