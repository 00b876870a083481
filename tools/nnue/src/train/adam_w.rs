//! The optimizer.

use super::lanes::Lanes;

/// Beta 1, beta 2 and epsilon of `AdamW`.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const TINY: f32 = 1e-8;
/// The weight decay.
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

    /// Updates a weight.
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

    #[test]
    fn a_valley_is_gone_down_to_its_floor() {
        let (mut weight, mut mean, mut square) = (1.5, 0.0, 0.0);
        for number in 1..=4000 {
            let slope = 1e-3 * (weight + 0.7);
            AdamW::new(number, 0.01 * (1.0 - number as f64 / 4000.0)).step(
                &mut weight,
                &mut mean,
                &mut square,
                slope,
            );
        }
        assert!((weight + 0.7).abs() < 0.02, "{weight}");
    }
}
