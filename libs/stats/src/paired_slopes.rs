//! Linear regression: which factors a value depends on, and whether the dependence differs between two players.

use super::ratings::{Factor, Matrix};

/// One observation of one player.
#[derive(Clone, Copy, Debug)]
pub struct PairedRow<'a> {
    /// The pair of games it is from.
    pub pair: usize,
    /// Whether it is an observation of the first player.
    pub is_first: bool,
    /// The factors that the value may depend on, the same number in every row.
    pub factors: &'a [f64],
    /// The observed value.
    pub value: f64,
}

/// A least-squares fit to the observations of both players, and each pair's contribution to the difference of the slopes.
///
/// The residuals of the common fit are uncorrelated with the factors. So, per factor with the others held fixed (Frisch and
/// Waugh, Econometrica 1, 1933), the first player's residuals minus the second's show how far the slopes differ. If the
/// players are alike, exchanging them reverses a pair's contributions, which [`PairedSum`](super::PairedSum) tests.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedSlopes {
    /// For each factor, the slope fitted to both players.
    pub common: Vec<f64>,
    /// For each factor and each pair, its contribution to the first player's slope minus the second's. The sum is this
    /// difference if the factors of both players are distributed alike.
    pub differences: Vec<Vec<f64>>,
}

impl PairedSlopes {
    /// The slopes of these rows; `pairs` is greater than every pair number. A factor that is always 0 has slope 0.
    pub fn new(rows: &[PairedRow<'_>], pairs: usize) -> PairedSlopes {
        let count = rows.first().map_or(0, |row| row.factors.len());
        let (mut squares, mut products) = (vec![vec![0.0; count]; count], vec![0.0; count]);
        for row in rows {
            for (line, x) in squares.iter_mut().zip(row.factors) {
                line.iter_mut().zip(row.factors).for_each(|(cell, other)| *cell += x * other);
            }
            products.iter_mut().zip(row.factors).for_each(|(cell, x)| *cell += x * row.value);
        }
        let (kept, factored) = independent(&squares);
        let solve = |right: &[f64]| {
            let mut slopes = vec![0.0; count];
            let of_kept: Vec<f64> = kept.iter().map(|factor| right[*factor]).collect();
            let solved = factored.iter().flat_map(|factored| factored.solve(&of_kept));
            kept.iter().zip(solved).for_each(|(factor, slope)| slopes[*factor] = slope);
            slopes
        };
        let common = solve(&products);
        let mut told = vec![vec![0.0; count]; pairs];
        for row in rows {
            let fitted: f64 = common.iter().zip(row.factors).map(|(slope, x)| slope * x).sum();
            // Each player has half of the observations.
            let residual = 2.0 * (row.value - fitted) * if row.is_first { 1.0 } else { -1.0 };
            told[row.pair].iter_mut().zip(row.factors).for_each(|(cell, x)| *cell += residual * x);
        }
        let of_pairs: Vec<Vec<f64>> = told.iter().map(|vector| solve(vector)).collect();
        let differences =
            (0..count).map(|factor| of_pairs.iter().map(|pair| pair[factor]).collect()).collect();
        PairedSlopes { common, differences }
    }
}

/// The factors that depend linearly on no earlier one, and the matrix of their products, factored.
fn independent(squares: &[Vec<f64>]) -> (Vec<usize>, Option<Factor>) {
    const LEAST: f64 = 1e-9;
    let mut found = (Vec::new(), None);
    for (factor, row) in squares.iter().enumerate() {
        let with = [&found.0[..], &[factor]].concat();
        let factored = Matrix::of(with.len(), |row, column| squares[with[row]][with[column]]).cholesky();
        // The last pivot is the part of the factor's square that the earlier factors do not explain.
        if factored.as_ref().is_some_and(|it| it.last_pivot() > LEAST * row[factor].max(LEAST)) {
            found = (with, factored);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::PairedSum;
    use super::*;

    #[test]
    fn a_slope_that_differs_is_found_beside_one_that_does_not_and_a_factor_that_repeats_another_is_left_out()
    {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let observations: Vec<(usize, bool, [f64; 4], f64)> = (0..4000)
            .map(|index| {
                let (x, noise) = (random.random_range(-1.0..1.0), random.random_range(-1.0..1.0));
                // The second factor is correlated with the first and has no slope of its own.
                let (beside, is_first) = (x + random.random_range(-0.5..0.5), index % 2 == 0);
                let value = 0.5 * x + if is_first { 0.3 * x } else { 0.0 } + noise;
                (index / 40, is_first, [x, beside, 1.0, 0.0], value)
            })
            .collect();
        let rows: Vec<PairedRow<'_>> = observations
            .iter()
            .map(|(pair, is_first, factors, value)| PairedRow {
                pair: *pair,
                is_first: *is_first,
                factors,
                value: *value,
            })
            .collect();
        let slopes = PairedSlopes::new(&rows, 100);
        let sums: Vec<PairedSum> = slopes.differences.iter().map(|pairs| PairedSum::new(pairs, 1)).collect();
        assert!(
            (slopes.common[0] - 0.65).abs() < 0.07 && slopes.common[1].abs() < 0.06,
            "{:?}",
            slopes.common
        );
        assert!((sums[0].sum - 0.3).abs() < 0.13 && sums[0].p_value < 0.01, "{sums:?}");
        assert!(sums[1].p_value > 0.05 && sums[2].p_value > 0.05, "{sums:?}");
        assert!(slopes.common[3].abs() + sums[3].sum.abs() < 1e-12, "{sums:?}");
        let twice: Vec<[f64; 2]> =
            observations.iter().map(|(_, _, factors, _)| [factors[0], 2.0 * factors[0]]).collect();
        let rows: Vec<PairedRow<'_>> =
            rows.iter().zip(&twice).map(|(row, factors)| PairedRow { factors, ..*row }).collect();
        let slopes = PairedSlopes::new(&rows, 100);
        assert!(
            (slopes.common[0] - 0.65).abs() < 0.05 && slopes.common[1].abs() < 1e-12,
            "{:?}",
            slopes.common
        );
        assert_eq!(PairedSlopes::new(&[], 0), PairedSlopes { common: vec![], differences: vec![] });
    }
}
