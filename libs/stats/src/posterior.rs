//! What few or lopsided results say of a mean and of a t-value.
//!
//! Of results whose distribution is unknown, the shares have a Dirichlet distribution with the counts as its parameters
//! (Rubin, "The Bayesian Bootstrap", Annals of Statistics 9, 1981). A third of an observation more, of the worst result for a
//! lower end and of the best for an upper one, stands for what has not been seen: the neutral prior of two results (Kerman,
//! Electronic Journal of Statistics 5, 2011). A whole one would hold for any distribution, and mostly reach too far (Gaffke,
//! "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable", 2005). A better
//! result raises both ends: of the gamma variables that make a Dirichlet distribution, one moves to a better result.
//!
//! The probability that Σ φᵢ·pᵢ is at most 0 comes from the saddlepoint (Lugannani and Rice, "Saddle point
//! approximation for the distribution of the sum of independent random variables", 1980, in the form of
//! Barndorff-Nielsen, 1986), which solves the equation of the module `linear_constraint`.

use super::root::bisect;
use super::{linear_constraint, t_value_constraint};

/// The results of an opening pair; a single game has every other of them.
pub(super) const RESULTS: usize = 5;

const BISECTIONS: u32 = 40;

/// A t-value beyond this is none.
const FARTHEST: f64 = 1e9;

/// The distribution of the shares of results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posterior {
    counts: [f64; RESULTS],
}

impl Posterior {
    /// For a lower end, or else for an upper one.
    pub fn new(counts: &[f64; RESULTS], is_lower: bool) -> Posterior {
        Posterior::with_unseen(counts, is_lower, 1.0 / 3.0)
    }

    /// With this part of an observation for those not seen.
    pub fn with_unseen(counts: &[f64; RESULTS], is_lower: bool, unseen: f64) -> Posterior {
        let mut counts = *counts;
        counts[if is_lower { 0 } else { RESULTS - 1 }] += unseen;
        Posterior { counts }
    }

    /// How far a mean of ½ is from the middle of those possible, in standard deviations of a normal distribution.
    pub fn tail_at_half(&self) -> f64 {
        linear_constraint::tail(&self.counts, &worths().map(|worth| worth - 0.5))
    }

    /// The mean, from 0 to 1, that is so many standard deviations of a normal distribution from the middle of those
    /// possible.
    pub fn mean(&self, z: f64) -> f64 {
        let is_below = |mean: f64| {
            let phi = worths().map(|worth| worth - mean);
            linear_constraint::tail(&self.counts, &phi) < z
        };
        let (low, high) = bisect((0.0, 1.0), BISECTIONS, is_below);
        low.midpoint(high)
    }

    /// The same of the t-value of an observation; infinite where none is so far.
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
