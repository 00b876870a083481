//! Whether groups of pairs, such as the pairs of each machine, differ by more than chance.

use super::Pentanomial;
use super::normal::cumulative;

const ALPHA: f64 = 0.02;

/// A group is compared only if at least this many of its pairs are expected to differ from the most frequent result; with
/// fewer, its mean is far from normal.
const LEAST_EXPECTED: f64 = 10.0;

/// A comparison of the mean scores of groups of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupComparison {
    /// Pearson's χ² for the mean scores of the compared groups.
    pub chi_squared: f64,
    /// Its degrees of freedom: the number of compared groups minus one.
    pub degrees: u32,
    /// The points of each group minus the points expected from the overall mean, in standard errors; `None` if the group
    /// has too few pairs to be compared.
    pub residuals: Vec<Option<f64>>,
    /// The groups that differ by more than chance, the farthest first; each is compared with the groups that are left.
    pub outliers: Vec<usize>,
}

impl GroupComparison {
    /// Compares the groups.
    pub fn new(groups: &[Pentanomial]) -> GroupComparison {
        let of = |compared: &[usize]| residuals(groups, compared);
        let mut compared: Vec<usize> = (0..groups.len()).collect();
        let known = of(&compared);
        compared.retain(|&group| known[group].is_some());
        let residuals = of(&compared);
        let total: Pentanomial = compared.iter().map(|&group| groups[group]).sum();
        let term = |&group: &usize| {
            let others = 1.0 - groups[group].pairs() as f64 / total.pairs() as f64;
            others * residuals[group].map_or(0.0, |residual| residual * residual)
        };
        // The sum of an empty iterator is -0.
        let chi_squared = 0.0 + compared.iter().map(term).sum::<f64>();
        let degrees = compared.len().saturating_sub(1) as u32;
        let mut outliers = Vec::new();
        while compared.len() > 1 {
            let sizes = of(&compared);
            let size = |&group: &usize| sizes[group].map_or(0.0, f64::abs);
            let farthest = compared.iter().map(size).fold(0.0, f64::max);
            if !is_rare(2.0 * cumulative(-farthest), compared.len()) {
                break;
            }
            // If two groups are left, either may be the outlier.
            let is_pair = compared.len() == 2;
            outliers.extend(compared.extract_if(.., |group| is_pair || size(group) >= farthest));
        }
        GroupComparison { chi_squared, degrees, residuals, outliers }
    }

    /// The probability of differences at least as great by chance; 1 if nothing is compared.
    pub fn p_value(&self) -> f64 {
        chi_squared_tail(self.chi_squared, self.degrees)
    }
}

/// The residuals of the compared groups, relative to the mean of all compared groups.
fn residuals(groups: &[Pentanomial], compared: &[usize]) -> Vec<Option<f64>> {
    let total: Pentanomial = compared.iter().map(|&group| groups[group]).sum();
    let [all, sum, squares, most] = moments(&total);
    let (mean, mean_of_squares) = (sum / all, squares / all);
    let residual = |group: &Pentanomial| {
        let [pairs, points, ..] = moments(group);
        // A part of a whole varies less than an independent sample.
        let variance = pairs * (1.0 - pairs / all) * (mean_of_squares - mean * mean) * all / (all - 1.0);
        let is_known = pairs * (1.0 - most / all) >= LEAST_EXPECTED && variance > 0.0;
        is_known.then(|| (points - pairs * mean) / variance.sqrt())
    };
    let of_group = |(index, group)| compared.contains(&index).then(|| residual(group)).flatten();
    groups.iter().enumerate().map(of_group).collect()
}

/// The number of pairs, their half points, the half points squared, and the count of the most frequent result.
fn moments(pairs: &Pentanomial) -> [f64; 4] {
    let counts = pairs.counts().map(|count| count as f64);
    let sum = |power| counts.iter().zip(0_u8..).map(|(n, points)| n * f64::from(points).powi(power)).sum();
    [sum(0), sum(1), sum(2), counts.into_iter().fold(0.0, f64::max)]
}

/// Whether `p` is significant as the smallest of `of` p-values (Bonferroni).
fn is_rare(p: f64, of: usize) -> bool {
    p * (of as f64) < ALPHA
}

/// The groups with more than their share of hits, such as time losses. Each group is `(hits, trials)`; hits follow a
/// binomial distribution if all groups have the same rate.
pub fn groups_with_excess(groups: &[(u64, u64)]) -> Vec<usize> {
    let (hits, trials) = groups.iter().fold((0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    let p = |group: usize| binomial_tail(groups[group].0, hits, groups[group].1 as f64 / trials as f64);
    (0..groups.len()).filter(|&group| is_rare(p(group), groups.len())).collect()
}

/// The probability of at least `hits` hits in `trials` trials, each with probability `p`.
pub(super) fn binomial_tail(hits: u64, trials: u64, p: f64) -> f64 {
    if hits == 0 || p >= 1.0 {
        return 1.0;
    }
    // Terms are computed as logarithms, so that large counts do not underflow.
    let (mut log_term, mut tail) = (trials as f64 * (1.0 - p).ln(), 0.0);
    for k in 0..=trials {
        tail += if k >= hits { log_term.exp() } else { 0.0 };
        log_term += ((trials - k) as f64 / (k + 1) as f64 * p / (1.0 - p)).ln();
    }
    tail
}

/// The probability that a χ² variable is at least `x` (Abramowitz and Stegun, 26.4.4 and 26.4.5); 1 for 0 degrees of
/// freedom.
fn chi_squared_tail(x: f64, degrees: u32) -> f64 {
    if degrees == 0 || x <= 0.0 {
        return 1.0;
    }
    // Each term is the one before times x / degrees; logarithms keep the first from underflowing.
    let (mut tail, mut log_term, mut at) = if degrees % 2 == 1 {
        (2.0 * cumulative(-x.sqrt()), (2.0 * x / std::f64::consts::PI).ln() / 2.0 - x / 2.0, 1)
    } else {
        (0.0, -x / 2.0, 0)
    };
    while at + 2 <= degrees {
        tail += log_term.exp();
        at += 2;
        log_term += (x / f64::from(at)).ln();
    }
    tail.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.8.
        for (x, degrees) in [(3.84146, 1), (5.99147, 2), (7.81473, 3), (30.1435, 19), (124.342, 100)] {
            assert!((chi_squared_tail(x, degrees) - 0.05).abs() < 1e-6, "{degrees}");
        }
        // Two or three heads in three tosses.
        assert!((binomial_tail(2, 3, 0.5) - 0.5).abs() < 1e-12);
        assert_eq!(groups_with_excess(&[(1, 500), (2, 500), (12, 500), (0, 500)]), [2]);
    }

    #[test]
    fn of_two_groups_both_differ_and_few_pairs_say_nothing() {
        let [better, worse, few] =
            [[0, 0, 50, 50, 0], [0, 50, 50, 0, 0], [0, 5, 0, 0, 0]].map(Pentanomial::new);
        let two = GroupComparison::new(&[better, worse, few]);
        assert_eq!((two.degrees, two.residuals[2], &two.outliers[..]), (1, None, &[0, 1][..]));
        // 250 half points where 200 are expected. The variance of a pair is ½, and half of all pairs are in this group.
        let expected = 50.0 / (100.0 * 0.5 * 0.5 * 200.0 / 199.0_f64).sqrt();
        assert!((two.residuals[0].unwrap() - expected).abs() < 1e-9, "{two:?}");
        assert!((two.chi_squared - expected * expected).abs() < 1e-9, "{two:?}");
        let one = GroupComparison::new(&[better, few]);
        assert_eq!((one.residuals[1], one.outliers.len()), (None, 0));
    }
}
