//! The fit: epoch after epoch of small steps, until positions that were held out are judged no better.

use super::adam::Adam;
use super::data_set::DataSet;
use super::model::Weights;
use super::objective::Objective;
use super::shuffle::SplitMix;

/// An epoch counts as progress if the loss of what is held out falls by this share of itself.
const PROGRESS: f64 = 1e-5;

/// After so many epochs without progress the rate is halved.
const PATIENCE: u32 = 2;

/// The fit ends when the rate has been halved so often.
const HALVINGS: u32 = 7;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Fit<'a> {
    /// What is to become small.
    pub objective: Objective,
    /// What a square centipawn between a weight and where it began costs.
    pub pull: f64,
    /// At most so many times through all positions.
    pub epochs: u32,
    /// How many positions a step is made for.
    pub batch: usize,
    /// How far a weight moves in a step at first, in centipawns.
    pub rate: f64,
    /// Which weights stay as they are, by their places.
    pub frozen: &'a [bool],
    /// How many threads work.
    pub threads: usize,
    /// Decides the order of the positions.
    pub seed: u64,
}

/// How far the fit has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// From 1.
    pub number: u32,
    /// How far a weight moved in a step, in centipawns.
    pub rate: f64,
    /// The mean loss of the positions learnt from, each as it was when its turn came.
    pub training: f64,
    /// The mean loss of those held out, in the end.
    pub held_out: f64,
}

impl Fit<'_> {
    /// Fits weights and returns those with which the held-out positions are judged best; `told` hears of every epoch.
    pub fn run(
        &self,
        data: &DataSet,
        split: &Split,
        start: &[[f64; 2]],
        mut told: impl FnMut(&Epoch),
    ) -> Weights {
        let loss = |weights: &[[f64; 2]]| self.objective.loss(data, &split.held_out, weights, self.threads);
        let (mut best, mut least) = (start.to_vec(), loss(start));
        let mut weights = start.to_vec();
        let mut adam = Adam::new(weights.len());
        let mut order = split.training.clone();
        let mut numbers = SplitMix::new(self.seed);
        let (mut rate, mut halvings, mut stale) = (self.rate, 0, 0);
        for number in 1..=self.epochs {
            numbers.shuffle(&mut order);
            let training = self.epoch(data, &order, start, &mut weights, &mut adam, rate);
            let held_out = loss(&weights);
            told(&Epoch { number, rate, training, held_out });
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

    /// Goes through the positions once, and returns their mean loss.
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

/// The blocks that the positions are cut into; every tenth is held out.
const BLOCKS: usize = 100;

/// The numbers of the positions of a set in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Those to learn from.
    pub training: Vec<u32>,
    /// A tenth, to stop in time.
    pub held_out: Vec<u32>,
}

impl Split {
    /// Holds out ten blocks of neighbours, spread over the whole: the positions of a game stand together and have one
    /// result, and whoever learns from some of them knows the others.
    pub fn of(positions: usize) -> Split {
        let block = positions.div_ceil(BLOCKS).max(1);
        let (held_out, training) = (0..positions as u32).partition(|&index| index as usize / block % 10 == 9);
        Split { training, held_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::{made_up_data, made_up_weights};

    const SCALE: f64 = 0.006;

    /// Learns from what is announced alone, which is the truth.
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
        // Where the danger of every attack is negative, nothing says how it could become more.
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
}
