//! Intervals of a mean and of a t-value from few or lopsided results.
//!
//! If nothing is known of the distribution, the shares of the results have a Dirichlet distribution whose parameters are the
//! counts (Rubin, "The Bayesian Bootstrap", Annals of Statistics 9, 1981). Unseen results are represented by a third of an
//! observation, of the worst result for a lower end and of the best for an upper one: the neutral prior of two results
//! (Kerman, Electronic Journal of Statistics 5, 2011). A whole observation would be valid for any distribution, but mostly
//! too wide (Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
//! 2005). A better result raises both ends: it moves one of the gamma variables that make a Dirichlet distribution to a
//! better result.
//!
//! The probability that Σ φᵢ·pᵢ ≤ 0 is a saddlepoint approximation (Lugannani and Rice, "Saddle point approximation for the
//! distribution of the sum of independent random variables", 1980, in the form of Barndorff-Nielsen, 1986). The saddlepoint
//! solves the equation of the module `linear_constraint`.

use super::root::bisect;
use super::{linear_constraint, t_value_constraint};

/// The number of results of an opening pair; single games use every other one.
pub(super) const RESULTS: usize = 5;

const BISECTIONS: u32 = 40;

/// Larger t-values count as infinite.
const FARTHEST: f64 = 1e9;

/// The posterior distribution of the shares of results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posterior {
    counts: [f64; RESULTS],
}

impl Posterior {
    /// The posterior for a lower end (`is_lower`) or for an upper one.
    pub fn new(counts: &[f64; RESULTS], is_lower: bool) -> Posterior {
        Posterior::with_unseen(counts, is_lower, 1.0 / 3.0)
    }

    /// The posterior with `unseen` observations for unseen results.
    pub fn with_unseen(counts: &[f64; RESULTS], is_lower: bool, unseen: f64) -> Posterior {
        let mut counts = *counts;
        counts[if is_lower { 0 } else { RESULTS - 1 }] += unseen;
        Posterior { counts }
    }

    /// The position of a mean of ½ in the distribution of the mean, as the quantile of a standard normal distribution.
    pub fn tail_at_half(&self) -> f64 {
        linear_constraint::tail(&self.counts, &worths().map(|worth| worth - 0.5))
    }

    /// The mean, from 0 to 1, at the same quantile of its distribution as `z` in a standard normal distribution.
    pub fn mean(&self, z: f64) -> f64 {
        let is_below = |mean: f64| {
            let phi = worths().map(|worth| worth - mean);
            linear_constraint::tail(&self.counts, &phi) < z
        };
        let (low, high) = bisect((0.0, 1.0), BISECTIONS, is_below);
        low.midpoint(high)
    }

    /// The t-value of an observation at this quantile; infinite if it is out of range.
    pub fn t_value(&self, z: f64) -> f64 {
        let is_below = |t: f64| t_value_constraint::tail(&self.counts, t) < z;
        let sign = if is_below(0.0) { 1.0 } else { -1.0 };
        let mut far = 1.0;
        while is_below(sign * far) == (sign > 0.0) {
            far *= 4.0;
            if far > FARTHEST {
                return sign * f64::INFINITY;
            }
        }
        let ends = if sign > 0.0 { (0.0, far) } else { (-far, 0.0) };
        let (low, high) = bisect(ends, BISECTIONS, is_below);
        low.midpoint(high)
    }
}

fn worths() -> [f64; RESULTS] {
    std::array::from_fn(|i| i as f64 / (RESULTS - 1) as f64)
}
