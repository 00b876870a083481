//! Positions that nobody played, whose weights are known.

use tarrasch::eval::Coefficients;

use crate::data_set::DataSet;
use crate::labelled_position::Label;
use crate::model::{Evaluated, Weights};
use crate::shuffle::SplitMix;

/// How many features there are; the last three make up the danger of an attack.
const FEATURES: u16 = 10;

/// Weights of a seed, up to fifty centipawns for either side of nought.
pub fn made_up_weights(seed: u64) -> Weights {
    let mut numbers = SplitMix::new(seed);
    let mut weight = || numbers.below(100) as f64 - 50.0;
    (0..FEATURES).map(|_| [weight(), weight()]).collect()
}

/// Positions with a few features each, which are worth what the weights of seed 1 say: `score` makes of that what is
/// announced. All games are drawn.
pub fn made_up_data(positions: usize, seed: u64, score: impl Fn(f64) -> i16) -> DataSet {
    let truth = made_up_weights(1);
    let mut numbers = SplitMix::new(seed);
    let mut data = DataSet::default();
    for _ in 0..positions {
        let mut some = |first: u16, end: u16, least: i16| -> Vec<(u16, i16)> {
            (first..end).map(|weight| (weight, numbers.below(5) as i16 + least)).collect()
        };
        let danger = [some(7, FEATURES, 0), some(7, FEATURES, 0)];
        let linear = some(0, 7, -2);
        let (phase, scale) = (numbers.below(25) as i32, 32 + 32 * numbers.below(2) as i32);
        let coefficients = Coefficients { phase, scale, linear, danger };
        let mut alone = DataSet::default();
        alone.push(&coefficients, Label { half_points: 1, score: None });
        let value = Evaluated::new(&alone.get(0), &truth).value;
        data.push(&coefficients, Label { half_points: 1, score: Some(score(value)) });
    }
    data
}
