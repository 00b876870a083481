//! The step that follows a gradient.

use super::lanes::Lanes;

/// How long the mean of the gradient and that of its square remember, and what keeps from dividing by nought.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const TINY: f32 = 1e-8;
/// The part of a weight that a step of length 1 takes away.
const DECAY: f32 = 0.01;
/// No weight is larger, so that those of the output fit into eight bits when they are whole.
pub const LARGEST_WEIGHT: f32 = 1.98;

/// A step of `AdamW` (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
#[derive(Clone, Copy, Debug)]
pub struct AdamW {
    rate: f32,
    /// Both means begin at nought, which is made up for here.
    first: f32,
    second: f32,
}

impl AdamW {
    /// The step with this number, from 1, and of this length.
    pub fn new(number: u64, rate: f64) -> AdamW {
        let [first, second] =
            [FIRST, SECOND].map(|memory| (1.0 - f64::from(memory).powi(number.min(1 << 20) as i32)) as f32);
        AdamW { rate: rate as f32, first, second }
    }

    /// Moves a weight.
    #[inline]
    pub fn step(self, weight: &mut f32, mean: &mut f32, square: &mut f32, slope: f32) {
        *mean = FIRST * *mean + (1.0 - FIRST) * slope;
        *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
        let step = (*mean / self.first) / ((*square / self.second).sqrt() + TINY);
        *weight = (*weight - self.rate * (step + DECAY * *weight)).clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
    }

    /// Moves many.
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
