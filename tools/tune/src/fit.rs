//! The fit: epochs of gradient steps, until the held-out loss no longer falls.

use chess::SplitMix;

use super::data_set::DataSet;
use super::model::Weights;
use super::objective::Objective;

/// An epoch counts as progress if the held-out loss falls by this share of itself.
const PROGRESS: f64 = 1e-5;

/// The rate is halved after this many epochs without progress.
const PATIENCE: u32 = 2;

/// The fit ends when the rate has been halved this many times.
const HALVINGS: u32 = 7;

#[derive(Clone, Debug)]
pub struct Fit<'a> {
    pub objective: Objective,
    /// The loss per square centipawn between a weight and its start.
    pub pull: f64,
    pub epochs: u32,
    pub batch: usize,
    /// The learning rate of the first step: the centipawns that a weight moves.
    pub rate: f64,
    /// By the index of a weight: whether it stays as it is.
    pub frozen: &'a [bool],
    pub threads: usize,
    /// The seed of the order of the positions.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// From 1.
    pub number: u32,
    /// The learning rate in centipawns per step.
    pub rate: f64,
    /// The mean training loss, of each position when it was used.
    pub training: f64,
    /// The mean held-out loss at its end.
    pub held_out: f64,
}

impl Fit<'_> {
    /// Fits weights. Returns those with the lowest held-out loss; `report` gets every epoch.
    pub fn run(
        &self,
        data: &DataSet,
        split: &Split,
        start: &[[f64; 2]],
        mut report: impl FnMut(&Epoch),
    ) -> Weights {
        let loss = |weights: &[[f64; 2]]| self.objective.loss(data, &split.held_out, weights, self.threads);
        let (mut best, mut least) = (start.to_vec(), loss(start));
        let mut weights = start.to_vec();
        let mut adam = Adam::new(weights.len());
        let mut order = split.training.clone();
        let mut numbers = SplitMix::new(self.seed);
        let (mut rate, mut halvings, mut stale) = (self.rate, 0, 0);
        for number in 1..=self.epochs {
            shuffle(&mut order, &mut numbers);
            let training = self.epoch(data, &order, start, &mut weights, &mut adam, rate);
            let held_out = loss(&weights);
            report(&Epoch { number, rate, training, held_out });
            stale = if held_out < least * (1.0 - PROGRESS) { 0 } else { stale + 1 };
            if held_out < least {
                (best, least) = (weights.clone(), held_out);
            }
            if stale == PATIENCE {
                (rate, halvings, stale) = (rate / 2.0, halvings + 1, 0);
                weights.clone_from(&best);
                if halvings == HALVINGS {
                    break;
                }
            }
        }
        best
    }

    fn epoch(
        &self,
        data: &DataSet,
        order: &[u32],
        start: &[[f64; 2]],
        weights: &mut [[f64; 2]],
        adam: &mut Adam,
        rate: f64,
    ) -> f64 {
        let mut sum = 0.0;
        for batch in order.chunks(self.batch) {
            let (loss, mut gradient) = self.objective.gradient(data, batch, weights, self.threads);
            sum += loss * batch.len() as f64;
            for (place, slope) in gradient.iter_mut().enumerate() {
                for (part, slope) in slope.iter_mut().enumerate() {
                    let pulled = *slope + 2.0 * self.pull * (weights[place][part] - start[place][part]);
                    *slope = if self.frozen[place] { 0.0 } else { pulled };
                }
            }
            adam.step(weights, &gradient, rate);
        }
        sum / order.len() as f64
    }
}

/// The number of blocks of positions; every tenth is held out.
const BLOCKS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    pub training: Vec<u32>,
    /// A tenth.
    pub held_out: Vec<u32>,
}

impl Split {
    /// Holds out ten blocks of neighbours. Neighbours belong to one game and have one result, so training on some of them
    /// would reveal the others.
    pub fn of(positions: usize) -> Split {
        let block = positions.div_ceil(BLOCKS).max(1);
        let (held_out, training) = (0..positions as u32).partition(|&index| index as usize / block % 10 == 9);
        Split { training, held_out }
    }
}

/// Beta 1, beta 2 and epsilon of Adam. Gradients by centipawns are small, so epsilon is smaller than the paper's 1e-8.
const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const TINY: f64 = 1e-12;

/// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1): every weight moves by about the
/// learning rate, whether its feature is frequent or rare.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Weights,
    squares: Weights,
    steps: i32,
}

impl Adam {
    pub fn new(weights: usize) -> Adam {
        Adam { means: vec![[0.0; 2]; weights], squares: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Moves the weights by about `rate` against the gradient.
    pub fn step(&mut self, weights: &mut [[f64; 2]], gradient: &[[f64; 2]], rate: f64) {
        self.steps += 1;
        // Both means start at 0; this corrects the bias.
        let [first, second] = [FIRST, SECOND].map(|memory| 1.0 - memory.powi(self.steps));
        for (place, weight) in weights.iter_mut().enumerate() {
            for (part, weight) in weight.iter_mut().enumerate() {
                let slope = gradient[place][part];
                let (mean, square) = (&mut self.means[place][part], &mut self.squares[place][part]);
                *mean = FIRST * *mean + (1.0 - FIRST) * slope;
                *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
                *weight -= rate * (*mean / first) / ((*square / second).sqrt() + TINY);
            }
        }
    }
}

/// A random number below `bound`.
pub fn below(numbers: &mut SplitMix, bound: u64) -> u64 {
    ((u128::from(numbers.next()) * u128::from(bound)) >> 64) as u64
}

pub fn shuffle<T>(items: &mut [T], numbers: &mut SplitMix) {
    for end in (1..items.len()).rev() {
        items.swap(end, below(numbers, end as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_set::made_up::{made_up_data, made_up_weights};

    const SCALE: f64 = 0.006;

    /// Learns from the scores alone, which are the truth.
    fn fit(frozen: &[bool]) -> Fit<'_> {
        Fit {
            objective: Objective { scale: SCALE, score_scale: SCALE, lambda: 1.0 },
            pull: 0.0,
            epochs: 400,
            batch: 100,
            rate: 2.0,
            frozen,
            threads: 2,
            seed: 1,
        }
    }

    fn distance(one: &[[f64; 2]], other: &[[f64; 2]]) -> f64 {
        let pairs = one.iter().flatten().zip(other.iter().flatten());
        pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_weights_that_made_the_data_are_found() {
        let data = made_up_data(3000, 2, |value| value.round() as i16);
        let split = Split::of(data.len());
        let truth = made_up_weights(1);
        // Danger below 0 has no gradient, so the start must not have much of it.
        let start: Weights = truth.iter().map(|weight| [weight[0] + 15.0, weight[1] - 10.0]).collect();
        let mut epochs = Vec::new();
        let found = fit(&[false; 10]).run(&data, &split, &start, |epoch| epochs.push(*epoch));
        assert!(distance(&found, &truth) < 0.5, "{found:?}\n{truth:?}");
        assert!(epochs.last().unwrap().held_out < epochs[0].held_out / 100.0, "{epochs:?}");
        assert!(epochs.len() < 400 && epochs.iter().zip(1..).all(|(epoch, number)| epoch.number == number));
    }

    #[test]
    fn what_is_frozen_stays() {
        let data = made_up_data(200, 2, |value| value.round() as i16);
        let frozen: Vec<bool> = (0..10).map(|place| place % 2 == 0).collect();
        let start = [[1.0; 2]; 10];
        let found = Fit { epochs: 5, ..fit(&frozen) }.run(&data, &Split::of(200), &start, |_| ());
        for (place, weight) in found.iter().enumerate() {
            let moved = (weight[0] - 1.0).abs() + (weight[1] - 1.0).abs();
            assert_eq!(moved > 0.0, !frozen[place], "{found:?}");
        }
    }

    #[test]
    fn the_seed_decides_everything_and_the_threads_nothing() {
        let data = made_up_data(300, 2, |value| value.round() as i16);
        let run = |threads| {
            let fit = Fit { threads, epochs: 8, ..fit(&[false; 10]) };
            fit.run(&data, &Split::of(300), &made_up_weights(4), |_| ())
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn a_pull_keeps_weights_where_they_began() {
        let data = made_up_data(300, 2, |value| value.round() as i16);
        let start = made_up_weights(4);
        let moved = |pull| {
            let fit = Fit { pull, epochs: 60, ..fit(&[false; 10]) };
            distance(&fit.run(&data, &Split::of(300), &start, |_| ()), &start)
        };
        assert!(moved(1e-4) < moved(0.0) / 2.0, "{} and {}", moved(1e-4), moved(0.0));
    }

    #[test]
    fn a_tenth_is_held_out_in_blocks() {
        let split = Split::of(20_000);
        assert_eq!((split.training.len(), split.held_out.len()), (18_000, 2_000));
        assert_eq!((split.held_out[0], split.held_out[199], split.held_out[200]), (1_800, 1_999, 3_800));
    }

    #[test]
    fn every_position_is_in_one_of_the_parts() {
        for positions in [0, 1, 99, 101, 1234] {
            let Split { training, held_out } = Split::of(positions);
            let mut all = [training, held_out].concat();
            all.sort_unstable();
            assert_eq!(all, (0..positions as u32).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        let mut weights = [[1.0, 1.0], [1.0, 1.0]];
        Adam::new(2).step(&mut weights, &[[1e-6, -3.0], [0.0, 1e-3]], 0.5);
        let expected = [[0.5, 1.5], [1.0, 0.5]];
        for (weight, expected) in weights.iter().flatten().zip(expected.iter().flatten()) {
            assert!((weight - expected).abs() < 1e-5, "{weights:?}");
        }
    }

    #[test]
    fn a_valley_is_gone_down_to_its_floor() {
        let mut weights = [[40.0, -30.0]];
        let mut adam = Adam::new(1);
        for step in 0..2000 {
            let [mg, eg] = weights[0];
            adam.step(
                &mut weights,
                &[[2e-6 * (mg - 3.0), 2e-2 * (eg + 5.0)]],
                1.0 - f64::from(step) / 2000.0,
            );
        }
        assert!((weights[0][0] - 3.0).abs() < 0.01 && (weights[0][1] + 5.0).abs() < 0.01, "{weights:?}");
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_depends_on_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            shuffle(&mut items, &mut SplitMix::new(seed));
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
    }

    #[test]
    fn every_item_gets_everywhere() {
        let mut numbers = SplitMix::new(1);
        let mut places = [0; 4];
        for _ in 0..4000 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, &mut numbers);
            places[items.iter().position(|item| *item == 0).unwrap()] += 1;
        }
        // A thousand expected for each; the standard deviation is 27.
        assert!(places.iter().all(|count| (850..1150).contains(count)), "{places:?}");
    }
}
