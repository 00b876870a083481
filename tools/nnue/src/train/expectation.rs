//! Expected points, and the scale from centipawns to them.
//!
//! An evaluation of `v` centipawns expects the score `1 / (1 + exp(-K v))` of the game, as in Texel (Peter Österlund, 2014).

/// The expected points: the logistic function.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
