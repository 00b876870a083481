//! The standard normal distribution: its 97.5% quantile and its cumulative distribution function.

use std::f64::consts::PI;

/// Half the width of a two-sided 95% interval, in standard deviations.
pub(super) const Z_95: f64 = 1.959963984540054;

/// Beyond this many standard deviations the tail is below 1e-15, so a probability is 0 or 1 to double precision.
const TAIL: f64 = 8.0;

/// The probability that a standard normal variable is at most `z`; 0 and 1 for infinite `z`, NaN for NaN.
///
/// Sums the series Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …) (Marsaglia, "Evaluating the Normal
/// Distribution", Journal of Statistical Software 11(4), 2004), accurate to about 1e-15.
pub fn cumulative(z: f64) -> f64 {
    if z.abs() >= TAIL {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = z;
    let mut sum = z;
    let mut odd = 3.0;
    while term.abs() > f64::EPSILON * sum.abs() {
        term *= z * z / odd;
        sum += term;
        odd += 2.0;
    }
    let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

/// Student's quantiles for two-sided 95% intervals with 1, 2, … degrees of freedom (NIST/SEMATECH, "e-Handbook of
/// Statistical Methods", 1.3.6.7.2).
const STUDENT_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Half the width of the 95% interval of a mean, in standard errors, for this many degrees of freedom (at least 1).
pub(super) fn student_95(degrees: usize) -> f64 {
    // Beyond the table, the first term of the expansion about the normal distribution (Abramowitz and Stegun, 26.7.5)
    // is exact to a thousandth.
    let expanded = Z_95 + (Z_95.powi(3) + Z_95) / (4.0 * degrees.max(1) as f64);
    STUDENT_95.get(degrees.saturating_sub(1)).copied().unwrap_or(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_values_are_met_and_tails_end_at_zero_and_one() {
        // Abramowitz and Stegun, table 26.1.
        for (z, p) in
            [(0.0, 0.5), (1.0, 0.841344746068543), (2.0, 0.977249868051821), (3.0, 0.998650101968370)]
        {
            assert!((cumulative(z) - p).abs() < 1e-14, "at {z}");
            assert!((cumulative(-z) - (1.0 - p)).abs() < 1e-14, "at -{z}");
        }
        assert!((cumulative(Z_95) - 0.975).abs() < 1e-14);
        assert!(cumulative(f64::INFINITY) >= 1.0);
        assert!(cumulative(f64::NEG_INFINITY) <= 0.0);
        assert!(cumulative(7.999) <= 1.0 && cumulative(7.999) > 1.0 - 1e-14);
    }

    #[test]
    fn the_table_goes_over_into_the_expansion_without_a_step() {
        let [last, next] = [30, 31].map(student_95);
        assert!(next < last && last - next < 0.02, "{last} and {next}");
        assert!((0..100).all(|degrees| student_95(degrees + 1) <= student_95(degrees)));
        // The same handbook has this for 100 degrees of freedom.
        assert!((student_95(100) - 1.984).abs() < 1e-3);
    }
}
