//! The network during training, with floating-point weights; the optimizer; and quantization.

use chess::{Color, SplitMix};
use tarrasch::nnue::{
    BUCKETS, FEATURES, LARGEST_OUTPUT_WEIGHT, Network, NetworkWeights, QA, SCALE_UNITS, TILE,
};

use super::batch::Target;
use super::expectation::expectation;
use super::training_data::{Inputs, TrainingPosition};

/// The lanes of a tile: the row of each input, then the biases, then the weights of each output for the side to move and
/// for its opponent.
pub const BIASES: usize = FEATURES;
/// See [`BIASES`]; the weights of each output follow those of the previous output.
pub const OUTPUTS: usize = FEATURES + 1;
/// See [`BIASES`].
pub const LANES: usize = OUTPUTS + 2 * BUCKETS;

/// Random start weights of the rows are within ± this.
const FIRST_ROWS: f32 = 0.1;

/// The output weights of tiles added to a narrower network, as a fraction of the usual start weights.
const FURTHER_OUTPUTS: f32 = 0.125;

/// The weights, in tiles of 64 columns of the hidden layer. Tiles meet only in the output, which adds their sums. A tile with
/// its gradient fits into the cache of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// Each has `LANES` lanes.
    pub tiles: Vec<Vec<Lanes>>,
    pub output_biases: [f32; BUCKETS],
}

impl FloatNetwork {
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

    pub fn zeros(tiles: usize) -> FloatNetwork {
        FloatNetwork { tiles: vec![vec![Lanes::ZERO; LANES]; tiles], output_biases: [0.0; BUCKETS] }
    }

    /// Widens the network to this number of tiles. The new tiles are random and change its output little.
    pub fn widened(mut self, tiles: usize, seed: u32) -> FloatNetwork {
        let mut further = FloatNetwork::new(tiles, seed).tiles.split_off(self.tiles.len());
        let outputs = further.iter_mut().flat_map(|tile| &mut tile[OUTPUTS..]);
        outputs.flat_map(|lanes| &mut lanes.0).for_each(|weight| *weight *= FURTHER_OUTPUTS);
        self.tiles.append(&mut further);
        self
    }

    /// The mean of each weight over networks of the same width. If their trainings began with the same weights, the mean often
    /// predicts better than any of them (Wortsman et al., "Model soups", 2022).
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

/// A row of a tile: a loop over its numbers is a few vector instructions, and all fit into registers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lanes(pub [f32; TILE]);

impl Lanes {
    pub const ZERO: Lanes = Lanes([0.0; TILE]);

    #[inline]
    pub fn add(&mut self, other: &Lanes) {
        for (sum, &number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }

    /// The sum, by adding halves until one number is left, which suits vector instructions.
    #[inline]
    pub fn total(mut self) -> f32 {
        let mut half = TILE / 2;
        while half > 0 {
            let (low, high) = self.0.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(sum, number)| *sum += *number);
            half /= 2;
        }
        self.0[0]
    }
}

/// Beta 1, beta 2 and epsilon of `AdamW`.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const TINY: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// The largest weight, so that quantized output weights fit into eight bits.
pub const LARGEST_WEIGHT: f32 = 1.98;

/// A step of `AdamW` (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
#[derive(Clone, Copy, Debug)]
pub struct AdamW {
    rate: f32,
    /// Corrects the bias of both means, which start at 0.
    first: f32,
    second: f32,
}

impl AdamW {
    /// The step with this number, from 1, and this learning rate.
    pub fn new(number: u64, rate: f64) -> AdamW {
        let [first, second] =
            [FIRST, SECOND].map(|memory| (1.0 - f64::from(memory).powi(number.min(1 << 20) as i32)) as f32);
        AdamW { rate: rate as f32, first, second }
    }

    #[inline]
    pub fn step(self, weight: &mut f32, mean: &mut f32, square: &mut f32, slope: f32) {
        *mean = FIRST * *mean + (1.0 - FIRST) * slope;
        *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
        let step = (*mean / self.first) / ((*square / self.second).sqrt() + TINY);
        *weight = (*weight - self.rate * (step + DECAY * *weight)).clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
    }

    /// Updates many weights.
    #[inline]
    pub fn step_lanes(self, weights: &mut Lanes, means: &mut Lanes, squares: &mut Lanes, slopes: &Lanes) {
        let moments = means.0.iter_mut().zip(&mut squares.0);
        for ((weight, (mean, square)), &slope) in weights.0.iter_mut().zip(moments).zip(&slopes.0) {
            self.step(weight, mean, square, slope);
        }
    }
}

const MOST_OUTPUT_UNIT: f32 = 1024.0;

/// The quantized network. An output of 1 is this many centipawns.
pub fn quantized(network: &FloatNetwork, mirrors: bool, centipawns: f64) -> NetworkWeights {
    let columns = |lane: usize| network.tiles.iter().flat_map(move |tile| tile[lane].0);
    let rounded = |unit: f32| move |weight: f32| (weight * unit).round() as i16;
    let of_rows = rounded(f32::from(QA));
    let output = || (OUTPUTS..LANES).flat_map(columns);
    // The scale is as fine as the largest weight allows.
    let largest = output().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    let output_unit = (f32::from(LARGEST_OUTPUT_WEIGHT) / largest).floor().min(MOST_OUTPUT_UNIT);
    let of_bias = f64::from(QA) * f64::from(output_unit);
    NetworkWeights {
        mirrors,
        scale: (centipawns * f64::from(SCALE_UNITS)).round() as u32,
        rows: (0..FEATURES).flat_map(columns).map(of_rows).collect(),
        biases: columns(BIASES).map(of_rows).collect(),
        outputs: output().map(rounded(output_unit)).collect(),
        output_unit: output_unit as u16,
        output_biases: network.output_biases.map(|bias| (f64::from(bias) * of_bias).round() as i32),
    }
}

/// The cost of quantization.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounding {
    /// The mean loss of the quantized network.
    pub loss: f64,
    /// The mean difference in centipawns.
    pub mean: f64,
    /// The largest difference in centipawns.
    pub worst: f64,
}

impl Rounding {
    /// Compares the networks on positions. `outputs` are from before quantization; an output of 1 is this many centipawns.
    pub fn of(
        network: &Network,
        centipawns: f64,
        positions: &[TrainingPosition],
        outputs: &[f32],
        target: Target,
    ) -> Rounding {
        let mut rounding = Rounding::default();
        for (position, &output) in positions.iter().zip(outputs) {
            let value = f64::from(network.evaluate_board(&position.board(), Color::White));
            let wanted = position.target(target.result_share, target.score_scale);
            let away = (value - centipawns * f64::from(output)).abs();
            rounding.loss += (expectation(value / centipawns * f64::from(position.share())) - wanted).powi(2);
            rounding.mean += away;
            rounding.worst = rounding.worst.max(away);
        }
        let count = positions.len().max(1) as f64;
        Rounding { loss: rounding.loss / count, mean: rounding.mean / count, ..rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_and_weights_decay() {
        for slope in [-3.0, 1e-4] {
            let (mut weight, mut mean, mut square) = (1.0, 0.0, 0.0);
            AdamW::new(1, 0.5).step(&mut weight, &mut mean, &mut square, slope);
            let expected = 1.0 - 0.5 * slope.signum() - 0.5 * DECAY;
            assert!((weight - expected).abs() < 1e-3, "{weight} and {expected}");
        }
    }
}
