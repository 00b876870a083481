//! Quantiles of Student's t distribution, for means of few values.

/// The confidence level of a two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confidence {
    /// 95%.
    Usual,
    /// 99%.
    High,
}

/// The quantiles for 1, 2, … degrees of freedom (NIST/SEMATECH, "e-Handbook of Statistical Methods", 1.3.6.7.2).
const USUAL: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const HIGH: [f64; 30] = [
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055, 3.012, 2.977, 2.947,
    2.921, 2.898, 2.878, 2.861, 2.845, 2.831, 2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750,
];

impl Confidence {
    /// Half the width of the interval of a mean, in standard errors, with this many degrees of freedom (at least 1).
    pub(super) fn half_width(self, degrees: usize) -> f64 {
        let (table, normal): (&[f64; 30], f64) = match self {
            Confidence::Usual => (&USUAL, 1.959964),
            Confidence::High => (&HIGH, 2.575829),
        };
        // Beyond the table, the first term of the expansion about the normal distribution (Abramowitz and Stegun,
        // 26.7.5) is exact to a thousandth.
        let expanded = normal + (normal.powi(3) + normal) / (4.0 * degrees.max(1) as f64);
        table.get(degrees.saturating_sub(1)).copied().unwrap_or(expanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_goes_over_into_the_expansion_without_a_step() {
        for confidence in [Confidence::Usual, Confidence::High] {
            let [last, next] = [30, 31].map(|degrees| confidence.half_width(degrees));
            assert!(next < last && last - next < 0.02, "{last} and {next}");
            assert!(
                (0..100)
                    .all(|degrees| { confidence.half_width(degrees + 1) <= confidence.half_width(degrees) })
            );
        }
        // The same handbook has these for 100 degrees of freedom.
        assert!((Confidence::Usual.half_width(100) - 1.984).abs() < 1e-3);
        assert!((Confidence::High.half_width(100) - 2.626).abs() < 2e-3);
    }
}
