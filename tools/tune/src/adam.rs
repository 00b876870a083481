//! The step that follows a gradient.

use super::model::Weights;

/// How long the mean of the gradient and that of its square remember, and what keeps from dividing by nought. The first
/// two are those of the paper; gradients by centipawns are small, so the third is smaller than its 1e-8.
const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const TINY: f64 = 1e-12;

/// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1): every weight moves by about
/// the rate, whether its feature is frequent or rare.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Weights,
    squares: Weights,
    steps: i32,
}

impl Adam {
    /// Before the first step, for so many weights.
    pub fn new(weights: usize) -> Adam {
        Adam { means: vec![[0.0; 2]; weights], squares: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Moves the weights by about `rate` against the gradient.
    pub fn step(&mut self, weights: &mut [[f64; 2]], gradient: &[[f64; 2]], rate: f64) {
        self.steps += 1;
        // Both means begin at nought, which is made up for here.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
