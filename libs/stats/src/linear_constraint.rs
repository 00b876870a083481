//! The divergence of the data from the nearest distribution that satisfies a linear equation.
//!
//! Let p̂ be the observed shares. Among all distributions p with Σ pᵢ·φᵢ = 0, the likelihood of the data is largest for
//! pᵢ = p̂ᵢ / (1 + θ·φᵢ), where θ solves the secular equation Σ p̂ᵢ·φᵢ / (1 + θ·φᵢ) = 0 (Van den Bergh, "Comparing the
//! approximations for the generalized log likelihood ratio of a multinomial distribution", proposition 1.1). The
//! log-likelihood lost per observation is then the Kullback–Leibler divergence Σ p̂ᵢ·ln(1 + θ·φᵢ), which this module
//! computes.

/// Newton's method needs about 6 steps, bisection at most 60; the combination needs far fewer than this limit.
const MAX_STEPS: usize = 200;

/// The divergence of `shares` (all positive, with sum 1) from the nearest distribution with Σ pᵢ·φᵢ = 0.
///
/// Zero if the data satisfy the equation, infinite if no distribution does (all φᵢ of one sign).
pub(super) fn divergence<const N: usize>(shares: &[f64; N], phi: &[f64; N]) -> f64 {
    let slope: f64 = shares.iter().zip(phi).map(|(share, phi)| share * phi).sum();
    if slope == 0.0 {
        return 0.0;
    }
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return f64::INFINITY;
    }
    // All pᵢ are positive between the two poles, and θ has the sign of the slope at 0.
    let bracket = if slope > 0.0 { (0.0, -1.0 / least) } else { (-1.0 / most, 0.0) };
    let theta = multiplier(shares, phi, bracket);
    let lost: f64 = shares.iter().zip(phi).map(|(share, phi)| share * denominator(theta, *phi).ln()).sum();
    lost.max(0.0)
}

/// The probability that Σ pᵢ·φᵢ ≤ 0 if the shares have a Dirichlet distribution with these parameters, returned as the
/// quantile of a normal distribution: the saddlepoint approximation of Σ φᵢ·Gᵢ with gamma variables Gᵢ.
pub(super) fn tail<const N: usize>(counts: &[f64; N], phi: &[f64; N]) -> f64 {
    // A cell with a count of 0 adds no pole.
    let phi: [f64; N] = std::array::from_fn(|i| if counts[i] > 0.0 { phi[i] } else { 0.0 });
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return if least >= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let slope: f64 = counts.iter().zip(&phi).map(|(count, phi)| count * phi).sum();
    let bracket = if slope > 0.0 { (0.0, -1.0 / least) } else { (-1.0 / most, 0.0) };
    let theta = multiplier(counts, &phi, bracket);
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        counts.iter().zip(&phi).map(|(count, phi)| count * of(*phi)).sum()
    };
    let root = (2.0 * sum(&|phi| denominator(theta, phi).ln())).max(0.0).sqrt();
    let steps = theta.abs() * sum(&|phi| (phi / denominator(theta, phi)).powi(2)).sqrt();
    let corrected = if root > 1e-6 { root + (steps / root).ln() / root } else { root };
    -theta.signum() * corrected
}

/// 1 + θ·φ, kept positive if rounding reaches a pole.
fn denominator(theta: f64, phi: f64) -> f64 {
    theta.mul_add(phi, 1.0).max(f64::EPSILON)
}

/// The root θ of the secular equation within the bracket: Newton's method from 0, with bisection if a step would leave
/// the bracket. The left-hand side decreases between the poles.
fn multiplier<const N: usize>(shares: &[f64; N], phi: &[f64; N], bracket: (f64, f64)) -> f64 {
    let (mut low, mut high) = bracket;
    let mut theta = 0.0;
    for _ in 0..MAX_STEPS {
        let mut value = 0.0;
        let mut descent = 0.0;
        for (share, phi) in shares.iter().zip(phi) {
            let ratio = phi / denominator(theta, *phi);
            value += share * ratio;
            descent += share * ratio * ratio;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + value / descent;
        let next = if newton > low && newton < high { newton } else { low.midpoint(high) };
        if (next - theta).abs() <= f64::EPSILON * theta.abs() || next <= low || next >= high {
            break;
        }
        theta = next;
    }
    theta
}

/// The count that replaces 0 in an empty cell.
///
/// With a count of 0, hypotheses could not be compared; a thousandth of an observation does not change the ratio visibly.
/// fishtest and fastchess use the same value, and also for empty cells only.
pub(super) const EMPTY_CELL: f64 = 1e-3;

/// Observed shares of N results whose worths are evenly spaced from 0 to 1. All shares are positive; their sum is 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empirical<const N: usize> {
    pub shares: [f64; N],
    /// The number of observations, including those added to empty cells.
    pub observations: f64,
}

impl<const N: usize> Empirical<N> {
    /// The distribution of these counts; `None` if all are 0.
    pub fn of_counts(counts: &[u64; N]) -> Option<Empirical<N>> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let filled = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let observations: f64 = filled.iter().sum();
        Some(Empirical { shares: filled.map(|count| count / observations), observations })
    }

    /// The worth of each result, from 0 to 1.
    pub fn worths() -> [f64; N] {
        std::array::from_fn(|i| i as f64 / (N - 1) as f64)
    }

    /// The distribution from the opponent's point of view.
    pub fn reversed(&self) -> Empirical<N> {
        let mut shares = self.shares;
        shares.reverse();
        Empirical { shares, observations: self.observations }
    }

    /// The mean and standard deviation of one observation's worth.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        let weigh = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.shares.iter().zip(Self::worths()).map(|(share, worth)| share * of(worth)).sum()
        };
        let mean = weigh(&|worth| worth);
        (mean, weigh(&|worth| (worth - mean).powi(2)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The shares of the nearest distribution, given the multiplier θ.
    fn nearest(shares: &[f64; 3], phi: &[f64; 3], theta: f64) -> [f64; 3] {
        std::array::from_fn(|i| shares[i] / (1.0 + theta * phi[i]))
    }

    #[test]
    fn a_coin_diverges_as_the_textbook_says_and_impossible_equations_are_infinitely_far() {
        // From heads at 3/4 to a fair coin: ln 2 − H(3/4).
        let expected = 0.75 * (0.75f64 / 0.5).ln() + 0.25 * (0.25f64 / 0.5).ln();
        assert!((divergence(&[0.25, 0.75], &[-0.5, 0.5]) - expected).abs() < 1e-14);
        assert!(divergence(&[0.5, 0.5], &[0.1, 0.2]).is_infinite());
        assert!(divergence(&[0.5, 0.5], &[-0.1, 0.0]).is_infinite());
    }

    proptest! {
        #[test]
        fn the_nearest_distribution_sums_to_one_and_meets_the_equation(
            weights in prop::array::uniform3(1e-3..1.0f64),
            target in 0.01..0.99f64,
        ) {
            let total: f64 = weights.iter().sum();
            let shares = weights.map(|weight| weight / total);
            let phi = [0.0 - target, 0.5 - target, 1.0 - target];
            let theta = multiplier(&shares, &phi, (-1.0 / phi[2], -1.0 / phi[0]));
            let p = nearest(&shares, &phi, theta);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!((p[1] / 2.0 + p[2] - target).abs() < 1e-9);
        }
    }
}
