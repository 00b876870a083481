//! How much faster one is than another, measured side by side.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// So many times the measurements are drawn anew.
const RESAMPLES: usize = 2000;

/// The share of the measurements at either end that is left out: on a machine with other work to do a few are far off.
const TRIMMED: f64 = 0.2;

/// The seed of the draws, so that the same measurements give the same interval.
const SEED: u64 = 1;

/// The ratio of two speeds, with its 95% interval.
///
/// The estimate is the trimmed mean of the logarithms of the single ratios, and the interval the percentile bootstrap
/// of it (Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7, 1979).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedRatio {
    /// The estimate.
    pub ratio: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
}

impl PairedRatio {
    /// From ratios that were each measured at about the same time, all above zero and finite. `None` when there are
    /// fewer than two, which say nothing about their spread.
    pub fn of(ratios: &[f64]) -> Option<PairedRatio> {
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        if logs.len() < 2 || logs.iter().any(|log| !log.is_finite()) {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut drawn = vec![0.0; logs.len()];
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                drawn.fill_with(|| logs[rng.random_range(0..logs.len())]);
                trimmed_mean(&mut drawn)
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let quantile = |share: f64| means[(share * (RESAMPLES - 1) as f64).round() as usize].exp();
        let ratio = trimmed_mean(&mut logs.clone()).exp();
        Some(PairedRatio { ratio, lower: quantile(0.025), upper: quantile(0.975) })
    }

    /// Whether the interval leaves no doubt which is faster.
    pub fn is_clear(&self) -> bool {
        self.lower > 1.0 || self.upper < 1.0
    }

    /// Half the width of the interval, as a share of the estimate.
    pub fn uncertainty(&self) -> f64 {
        (self.upper - self.lower) / 2.0 / self.ratio
    }
}

/// The mean without the smallest and the largest values. Sorts them.
fn trimmed_mean(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let left_out = (values.len() as f64 * TRIMMED) as usize;
    let kept = &values[left_out..values.len() - left_out];
    kept.iter().sum::<f64>() / kept.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratios around `centre` with a spread of some percent, and one far off.
    fn measurements(centre: f64, spread: f64, count: usize, seed: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut noise = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let mut ratios: Vec<f64> = (0..count).map(|_| centre * (spread * noise()).exp()).collect();
        ratios[0] *= 3.0;
        ratios
    }

    #[test]
    fn one_measurement_says_nothing_and_equal_ones_say_it_exactly() {
        assert_eq!(PairedRatio::of(&[]), None);
        assert_eq!(PairedRatio::of(&[1.1]), None);
        assert_eq!(PairedRatio::of(&[1.0, f64::NAN]), None);
        assert_eq!(PairedRatio::of(&[1.0, 0.0]), None);
        let same = PairedRatio::of(&[2.0; 8]).unwrap();
        for value in [same.ratio, same.lower, same.upper] {
            assert!((value - 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_difference_of_one_percent_is_seen_in_spite_of_one_wild_measurement() {
        let seen = PairedRatio::of(&measurements(1.01, 0.01, 48, 3)).unwrap();
        assert!(seen.is_clear() && seen.lower > 1.0 && seen.upper < 1.02, "{seen:?}");
    }

    #[test]
    fn the_interval_covers_the_truth_about_as_often_as_it_says() {
        let runs = 200;
        let covered = (0..runs)
            .filter(|&seed| {
                let seen = PairedRatio::of(&measurements(1.0, 0.02, 24, seed)).unwrap();
                !seen.is_clear()
            })
            .count();
        // 95% of 200 is 190; a bootstrap of so few is a little too narrow.
        assert!((178..=200).contains(&covered), "{covered} of {runs}");
    }
}
