//! The empirical distribution of results that the generalized likelihood ratio compares its hypotheses with.

/// The count of an empty cell.
///
/// With a count of 0, hypotheses could not be compared; a thousandth of an observation is too little to change the
/// ratio visibly. fishtest and fastchess use the same value, also only for empty cells.
const EMPTY_CELL: f64 = 1e-3;

/// Observed frequencies of N results, whose worth runs evenly from 0 to 1. All are positive; they sum to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empirical<const N: usize> {
    /// The share of each result, ascending by worth.
    pub shares: [f64; N],
    /// The number of observations, with the counts of empty cells.
    pub observations: f64,
}

impl<const N: usize> Empirical<N> {
    /// The distribution that the counts give; `None` without any observation.
    pub fn of_counts(counts: &[u64; N]) -> Option<Empirical<N>> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let filled = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let observations: f64 = filled.iter().sum();
        Some(Empirical { shares: filled.map(|count| count / observations), observations })
    }

    /// The score of each result, from 0 to 1.
    pub fn worths() -> [f64; N] {
        std::array::from_fn(|i| i as f64 / (N - 1) as f64)
    }

    /// The same distribution from the opponent's point of view.
    pub fn reversed(&self) -> Empirical<N> {
        let mut shares = self.shares;
        shares.reverse();
        Empirical { shares, observations: self.observations }
    }

    /// The mean and the standard deviation of one observation's worth.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        let weigh = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.shares.iter().zip(Self::worths()).map(|(share, worth)| share * of(worth)).sum()
        };
        let mean = weigh(&|worth| worth);
        (mean, weigh(&|worth| (worth - mean).powi(2)).sqrt())
    }
}
