//! The divergence of the data from the nearest distribution with a given t-value, the kind of hypothesis that normalized
//! Elo has.
//!
//! The t-value of a distribution p is (μ − ½) / σ, its lead in standard deviations of one observation. Fixing it is not a
//! linear constraint. But a standard deviation is the minimum of a family of linear functions, σ = min over s of (s + E[(a
//! − μ)²] / s) / 2, reached at s = σ. So the best distribution also solves the linear problem with φᵢ = aᵢ − ½ − (t/2)·(s +
//! (aᵢ − m)² / s) at m = μ, s = σ, which is equation 4.9 of Van den Bergh's "Comments on normalized Elo". There it is
//! solved by iteration: from the distribution to m and s, and back. That iteration can cycle if the data are far from the
//! hypothesis.
//!
//! A one-dimensional search replaces it. On the constraint m = ½ + t·s, so s is the only unknown, and its limits are known.
//! For positive t there are two cases:
//! - the t-value of the data is too small: for each s the linear constraint is stricter than the real one, so the
//!   divergence is the minimum over s;
//! - the t-value of the data is too large: for each s it is weaker, so the divergence is the maximum over s.
//!
//! A negative t is the same problem from the opponent's point of view.

use super::linear_constraint;
use super::linear_constraint::Empirical;

/// A smaller t-value counts as 0: it would take 10²⁰ games to detect it.
const SMALLEST_T: f64 = 1e-10;

/// The number of deviations tried before the best is refined, evenly spaced on a logarithmic scale.
const SCAN: usize = 32;

/// Each refinement step keeps 62% of the range. This many leave 2·10⁻⁷ of it; since the divergence is flat at its extremum,
/// it is then exact to rounding.
const REFINEMENTS: usize = 32;

/// The divergence of the data from the nearest distribution whose t-value, per observation, is `t`. Always finite.
pub(super) fn divergence<const N: usize>(data: &Empirical<N>, t: f64) -> f64 {
    if t < 0.0 {
        return divergence(&data.reversed(), -t);
    }
    if t < SMALLEST_T {
        return linear_constraint::divergence(
            &data.shares,
            &Empirical::<N>::worths().map(|worth| worth - 0.5),
        );
    }
    let (mean, deviation) = data.mean_and_deviation();
    let excess = mean - 0.5 - t * deviation;
    let range = deviations(t, 1.0 / (N - 1) as f64);
    if excess == 0.0 {
        0.0
    } else if excess < 0.0 {
        least(range, |s| linear_constraint::divergence(&data.shares, &phi(t, s)))
    } else {
        -least(range, |s| {
            let phi = phi(t, s);
            let exceeds = data.shares.iter().zip(&phi).map(|(share, phi)| share * phi).sum::<f64>() > 0.0;
            if exceeds { -linear_constraint::divergence(&data.shares, &phi) } else { 0.0 }
        })
    }
}

/// The probability that the t-value is at most `t` if the shares have a Dirichlet distribution with these parameters, as
/// the quantile of a normal distribution: the least over the linear constraints.
pub(super) fn tail<const N: usize>(counts: &[f64; N], t: f64) -> f64 {
    if t < 0.0 {
        let mut reversed = *counts;
        reversed.reverse();
        return -tail(&reversed, -t);
    }
    if t < SMALLEST_T {
        return linear_constraint::tail(counts, &Empirical::<N>::worths().map(|worth| worth - 0.5));
    }
    least(deviations(t, 1.0 / (N - 1) as f64), |s| linear_constraint::tail(counts, &phi(t, s)))
}

/// The coefficients of the linear constraint that touches the t-value constraint at the deviation `s`.
fn phi<const N: usize>(t: f64, s: f64) -> [f64; N] {
    let mean = 0.5 + t * s;
    Empirical::<N>::worths().map(|worth| worth - 0.5 - t / 2.0 * (s + (worth - mean).powi(2) / s))
}

/// The smallest and largest standard deviation of a distribution with t-value `t` > 0 over results `step` apart.
///
/// The distance x of a result from ½ is 0 or at least `step`, and at most ½; so step·E|x| ≤ E[x²] ≤ ¼, where
/// E[x²] = σ²·(1 + t²) and E|x| ≥ t·σ.
fn deviations(t: f64, step: f64) -> (f64, f64) {
    let scale = 1.0 + t * t;
    (step * t / scale, 0.5 / scale.sqrt())
}

/// The minimum of `f` over the range: a scan at constant ratios, then a golden-section search around its best point.
fn least((from, to): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    let (start, span) = (from.ln(), (to / from).ln());
    let at = |x: f64| f((start + x * span).exp());
    let grid = |i: usize| i as f64 / (SCAN - 1) as f64;
    let (mut best, mut best_value) = (0, f64::INFINITY);
    for i in 0..SCAN {
        let value = at(grid(i));
        if value < best_value {
            (best, best_value) = (i, value);
        }
    }
    let refined = golden_section(grid(best.saturating_sub(1)), grid((best + 1).min(SCAN - 1)), at);
    best_value.min(refined)
}

fn golden_section(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let kept = (5f64.sqrt() - 1.0) / 2.0;
    let mut left = high - kept * (high - low);
    let mut right = low + kept * (high - low);
    let (mut left_value, mut right_value) = (f(left), f(right));
    for _ in 0..REFINEMENTS {
        if left_value < right_value {
            high = right;
            (right, right_value) = (left, left_value);
            left = high - kept * (high - low);
            left_value = f(left);
        } else {
            low = left;
            (left, left_value) = (right, right_value);
            right = low + kept * (high - low);
            right_value = f(right);
        }
    }
    left_value.min(right_value)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use proptest::prelude::*;

    use super::*;

    fn lost(data: &Empirical<3>, p: [f64; 3]) -> f64 {
        data.shares.iter().zip(p).map(|(share, p)| share * (share / p).ln()).sum()
    }

    /// The divergence found by brute force: for three results, mean and deviation determine the distribution, and a given
    /// t-value leaves only the deviation free.
    fn by_trying(data: &Empirical<3>, t: f64) -> f64 {
        let (from, to) = deviations(t, 0.5);
        let mut least = f64::INFINITY;
        for i in 1..200_000 {
            // The points are densest at both ends, where the extreme cases are.
            let place = (1.0 - (PI * f64::from(i) / 200_000.0).cos()) / 2.0;
            let s = from * (to / from).powf(place);
            let mean = 0.5 + t * s;
            // From E[a²] = w + d/4 and E[a] = w + d/2.
            let second = s * s + mean * mean;
            let draws = 4.0 * (mean - second);
            let wins = mean - draws / 2.0;
            let p = [1.0 - draws - wins, draws, wins];
            if p.iter().all(|&share| share > 0.0) {
                least = least.min(lost(data, p));
            }
        }
        least
    }

    #[test]
    fn the_search_finds_what_trying_everything_finds() {
        for counts in [[10, 30, 20], [1, 1, 1], [0, 0, 9], [5, 0, 5], [0, 9, 0], [500, 20, 3], [2, 900, 3]] {
            for t in [0.003, 0.02, 0.1, 0.4, 1.0, 3.0] {
                let data = Empirical::of_counts(&counts).unwrap();
                let (found, tried) = (divergence(&data, t), by_trying(&data, t));
                assert!(
                    (found - tried).abs() <= 1e-6 * tried + 1e-8,
                    "{counts:?} {t}: {found}, tried {tried}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn the_data_are_at_no_distance_from_their_own_t_value(counts in prop::array::uniform5(1u64..1000)) {
            let data = Empirical::of_counts(&counts).unwrap();
            let (mean, deviation) = data.mean_and_deviation();
            prop_assert!(divergence(&data, (mean - 0.5) / deviation) < 1e-9);
        }

        #[test]
        fn the_divergence_grows_with_the_distance(
            counts in prop::array::uniform5(0u64..1000),
            near in 0.01..0.5f64,
            further in 0.01..0.5f64,
        ) {
            let Some(data) = Empirical::of_counts(&counts) else { return Ok(()) };
            let (mean, deviation) = data.mean_and_deviation();
            let t = (mean - 0.5) / deviation;
            prop_assert!(divergence(&data, t + near) < divergence(&data, t + near + further));
            prop_assert!(divergence(&data, t - near) < divergence(&data, t - near - further));
        }
    }
}
