//! The network during training, with floating-point weights.

use chess::SplitMix;
use tarrasch::nnue::{BUCKETS, FEATURES, TILE};

use super::lanes::Lanes;
use super::training_position::Inputs;

/// The lanes of a tile: the row of each input, then the biases, then the weights of each output for the side to move and
/// for its opponent.
pub const BIASES: usize = FEATURES;
/// See [`BIASES`]; those of an output follow those of the one before.
pub const OUTPUTS: usize = FEATURES + 1;
/// See [`BIASES`].
pub const LANES: usize = OUTPUTS + 2 * BUCKETS;

/// Random start weights of the rows are within ± this.
const FIRST_ROWS: f32 = 0.1;

/// The weights, in tiles of 64 columns of the hidden layer. Tiles meet only in the output, which adds their sums. A tile with
/// its gradient fits into the cache of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// Each with [`LANES`].
    pub tiles: Vec<Vec<Lanes>>,
    /// The bias of each output.
    pub output_biases: [f32; BUCKETS],
}

impl FloatNetwork {
    /// Random weights from a seed.
    pub fn new(tiles: usize, seed: u32) -> FloatNetwork {
        let mut numbers = SplitMix::new(seed.into());
        let mut within = |bound: f32| {
            let fraction = (numbers.next() >> 40) as f32 / (1u64 << 24) as f32;
            bound * (2.0 * fraction - 1.0)
        };
        let output = 1.0 / ((2 * tiles * TILE) as f32).sqrt();
        let mut lanes = |lane: usize| {
            let bound = match lane {
                BIASES => 0.0,
                lane if lane >= OUTPUTS => output,
                _ => FIRST_ROWS,
            };
            Lanes([(); TILE].map(|()| within(bound)))
        };
        let tiles = (0..tiles).map(|_| (0..LANES).map(&mut lanes).collect()).collect();
        FloatNetwork { tiles, output_biases: [0.0; BUCKETS] }
    }

    /// Zeros for a network of this many tiles.
    pub fn zeros(tiles: usize) -> FloatNetwork {
        FloatNetwork { tiles: vec![vec![Lanes::ZERO; LANES]; tiles], output_biases: [0.0; BUCKETS] }
    }

    /// The mean of each weight over networks of the same width. Trainings that diverged from the same weights have a mean that
    /// often predicts better than any of them (Wortsman et al., "Model soups", 2022).
    ///
    /// # Panics
    /// Without networks.
    pub fn mean(networks: &[FloatNetwork]) -> FloatNetwork {
        let mut mean = networks[0].clone();
        for network in &networks[1..] {
            mean.weights_mut().zip(network.weights()).for_each(|(sum, weight)| *sum += weight);
        }
        mean.weights_mut().for_each(|weight| *weight /= networks.len() as f32);
        mean
    }

    /// All weights: tile after tile, then the biases of the outputs.
    pub fn weights(&self) -> impl Iterator<Item = &f32> {
        self.tiles.iter().flatten().flat_map(|lanes| &lanes.0).chain(&self.output_biases)
    }

    /// All weights, mutable.
    pub fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.tiles.iter_mut().flatten().flat_map(|lanes| &mut lanes.0).chain(&mut self.output_biases)
    }
}

/// A tile of a side's accumulator.
#[inline]
pub fn accumulate(tile: &[Lanes], inputs: &[u16]) -> Lanes {
    let mut sums = tile[BIASES];
    for &input in inputs {
        sums.add(&tile[usize::from(input)]);
    }
    sums
}

/// The part of a tile in the output: the weighted sum of both accumulators, clipped to 0 to 1 and squared.
pub fn partial_output(tile: &[Lanes], inputs: &Inputs) -> f32 {
    let mut products = Lanes::ZERO;
    for side in 0..2 {
        let sums = accumulate(tile, inputs.of_side(side));
        let weights = &tile[OUTPUTS + 2 * inputs.bucket() + side];
        for (product, (&sum, &weight)) in products.0.iter_mut().zip(sums.0.iter().zip(&weights.0)) {
            let clipped = sum.clamp(0.0, 1.0);
            *product += clipped * clipped * weight;
        }
    }
    products.total()
}

/// Adds the gradient of the tile's weights. `slope` is the derivative of the loss by the output.
pub fn add_derivatives(tile: &[Lanes], inputs: &Inputs, slope: f32, gradient: &mut [Lanes]) {
    for side in 0..2 {
        let output = OUTPUTS + 2 * inputs.bucket() + side;
        let inputs = inputs.of_side(side);
        let mut slopes = accumulate(tile, inputs);
        let (weights, of_output) = (&tile[output], &mut gradient[output]);
        for (sum, (&weight, derivative)) in slopes.0.iter_mut().zip(weights.0.iter().zip(&mut of_output.0)) {
            let clipped = sum.clamp(0.0, 1.0);
            *derivative += slope * clipped * clipped;
            *sum = if *sum < 1.0 { 2.0 * slope * weight * clipped } else { 0.0 };
        }
        gradient[BIASES].add(&slopes);
        for &input in inputs {
            gradient[usize::from(input)].add(&slopes);
        }
    }
}
