//! The loss that the fit minimizes: the mean squared error of expected scores.
//!
//! An evaluation of `v` centipawns expects the score `1 / (1 + exp(-K v))` of the game, and the loss is the mean squared
//! error, as in Texel (Peter Österlund, 2014). Cross-entropy is the usual loss for probabilities, but a blunder in a won
//! game would count without bound. Here a position counts at most 1.

use std::thread;

use super::data_set::{DataSet, Example};
use super::model::{Evaluated, Weights};
use super::positions_file::Label;

/// The loss as a function of the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// `K`: the scale from centipawns of the evaluation to expected points.
    pub scale: f64,
    /// The same for the players' scores, whose centipawns may be others.
    pub score_scale: f64,
    /// The weight of the players' scores in the target, from 0 to 1; the results have the rest.
    pub lambda: f64,
}

#[derive(Clone, Debug)]
struct Sums {
    loss: f64,
    gradient: Weights,
}

impl Objective {
    /// White's expected points; the result alone if there is no score.
    pub fn target(&self, label: Label) -> f64 {
        let result = f64::from(label.half_points) / 2.0;
        match label.score {
            None => result,
            Some(score) => {
                let by_score = expectation(self.score_scale * f64::from(score));
                self.lambda * by_score + (1.0 - self.lambda) * result
            }
        }
    }

    pub fn loss(&self, data: &DataSet, positions: &[u32], weights: &[[f64; 2]], threads: usize) -> f64 {
        let of_part = |positions: &[u32]| -> f64 {
            positions.iter().map(|&index| self.error(&data.get(index), weights).powi(2)).sum()
        };
        in_parts(positions, threads, of_part).into_iter().sum::<f64>() / positions.len() as f64
    }

    /// The mean loss and its gradient by the weights.
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

pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The range of `K` for centipawns.
const RANGE: (f64, f64) = (1e-4, 1e-1);

/// The number of steps. Each narrows the range to 62%, all together to a millionth.
const STEPS: usize = 30;

/// The `K` with the smallest mean squared error of `1 / (1 + exp(-K v))`. Each pair is a value in centipawns and a result in
/// points, both for White. The loss has one minimum; golden-section search on the logarithm finds it.
pub fn best_scale(pairs: &[(f64, f64)]) -> f64 {
    let loss = |logarithm: f64| -> f64 {
        let scale = logarithm.exp();
        pairs.iter().map(|(value, result)| (expectation(scale * value) - result).powi(2)).sum()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (RANGE.0.ln(), RANGE.1.ln());
    let inner = |low: f64, high: f64| [high - golden * (high - low), low + golden * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high)[0];
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high)[1];
            at_right = loss(right);
        }
    }
    f64::midpoint(low, high).exp()
}

/// The number of parts. Floating-point sums depend on their order, so it is the same for any number of threads.
const PARTS: usize = 16;

/// Does `work` on sixteen parts of the items in parallel. Returns the results in the order of the parts.
pub fn in_parts<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let parts: Vec<&[T]> = items.chunks(items.len().div_ceil(PARTS).max(1)).collect();
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = parts
            .chunks(share)
            .map(|parts| scope.spawn(move || parts.iter().map(|part| work(part)).collect::<Vec<R>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no part of the work panics")).collect()
    })
}

#[cfg(test)]
mod tests {
    use tarrasch::eval::Coefficients;

    use super::*;
    use crate::data_set::made_up::{made_up_data, made_up_weights};

    const OBJECTIVE: Objective = Objective { scale: 0.006, score_scale: 0.004, lambda: 0.3 };

    #[test]
    fn the_target_lies_between_the_result_and_the_score() {
        let label = |half_points, score| Label { half_points, score };
        assert!((OBJECTIVE.target(label(2, None)) - 1.0).abs() < 1e-12);
        assert!((OBJECTIVE.target(label(0, Some(0))) - 0.15).abs() < 1e-12);
        let by_score = expectation(0.4);
        assert!((OBJECTIVE.target(label(1, Some(100))) - (0.3 * by_score + 0.35)).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_agrees_with_differences_of_the_loss() {
        let data = made_up_data(60, 3, |value| value as i16);
        let positions: Vec<u32> = (0..60).collect();
        // Fractions, so that no danger is exactly 0, where its score has no derivative.
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
    fn a_position_that_is_evaluated_right_has_no_loss() {
        let mut data = DataSet::default();
        let coefficients =
            Coefficients { phase: 12, scale: 64, linear: vec![(0, 1)], danger: [vec![], vec![]] };
        data.push(&coefficients, Label { half_points: 1, score: Some(0) });
        assert!(OBJECTIVE.loss(&data, &[0], &[[0.0; 2]], 1) < 1e-12);
        assert!(OBJECTIVE.loss(&data, &[0], &[[900.0; 2]], 1) > 0.2);
    }

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        for scale in [0.0005, 0.004, 0.03] {
            let pair = |step: i32| {
                let value = f64::from(step) / scale / 20.0;
                (value, expectation(scale * value))
            };
            let pairs: Vec<(f64, f64)> = (-60..60).map(pair).collect();
            let found = best_scale(&pairs);
            assert!((found / scale - 1.0).abs() < 1e-4, "{found} and {scale}");
        }
    }

    #[test]
    fn values_without_information_get_the_smallest_scale() {
        let pairs: Vec<(f64, f64)> = (0..100).map(|step| (300.0, f64::from(step % 2))).collect();
        assert!(best_scale(&pairs) < 1.1e-4);
    }

    #[test]
    fn every_item_is_worked_on_once_in_its_order_whatever_the_threads() {
        for items in [0, 1, 15, 16, 17, 1000] {
            let items: Vec<usize> = (0..items).collect();
            let with = |threads| in_parts(&items, threads, <[usize]>::to_vec);
            assert_eq!(with(1).concat(), items);
            assert_eq!(with(1), with(3));
            assert_eq!(with(1), with(40));
        }
    }
}
