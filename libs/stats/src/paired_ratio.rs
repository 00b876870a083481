//! The ratio of two speeds, measured side by side.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::normal;
use super::normal::Confidence;

/// Bootstrap samples: enough for the ends of a widened 99% interval.
const RESAMPLES: usize = 20_000;

/// The share of the measurements at either end that is trimmed within a session: with other load a few are far off.
const TRIMMED: f64 = 0.2;

/// The seed of the draws, so that the same measurements give the same interval.
const SEED: u64 = 1;

/// "No difference" needs an interval of at most this half width, as a share of the estimate.
const NOISY: f64 = 0.01;

/// The ratio of two speeds, with its 95% interval.
///
/// Measurements come in sessions, within which some conditions stay the same. For example, the memory addresses of a
/// process make the same program some tenths of a percent faster or slower until it is restarted (Kalibera and Jones,
/// "Rigorous benchmarking in reasonable time", ISMM 2013). So the sessions are the sample. Each gives the trimmed mean
/// of the logarithms of its ratios, the estimate is the mean of these, and the interval is the percentile bootstrap
/// over sessions (Efron 1979), expanded for their small number as Hesterberg does ("What teachers should know about the
/// bootstrap", The American Statistician 69, 2015): the share cut off at either end is Φ(−t·√(n/(n−1))), with t
/// Student's quantile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedRatio {
    /// The estimate.
    pub ratio: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// Whether the 99% interval excludes 1.
    #[serde(default)]
    pub is_sure: bool,
}

/// The verdict on a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeedVerdict {
    /// The first is faster.
    Faster,
    /// The first is slower.
    Slower,
    /// No difference above a percent.
    NoDifference,
    /// The measurements scatter too much to exclude a difference of a percent.
    TooNoisy,
}

impl PairedRatio {
    /// From ratios that were each measured at about the same time, each a session of its own.
    pub fn of(ratios: &[f64]) -> Option<PairedRatio> {
        PairedRatio::of_sessions(ratios.chunks(1))
    }

    /// From the ratios of some sessions, all above zero and finite. `None` with fewer than two sessions, which have no
    /// spread; sessions without ratios are ignored.
    pub fn of_sessions<'a>(sessions: impl IntoIterator<Item = &'a [f64]>) -> Option<PairedRatio> {
        let sessions = sessions.into_iter().filter(|ratios| !ratios.is_empty());
        let logs: Vec<f64> = sessions.map(mean_logarithm).collect();
        let count = logs.len();
        if count < 2 || logs.iter().any(|log| !log.is_finite()) {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| (0..count).map(|_| logs[rng.random_range(0..count)]).sum::<f64>() / count as f64)
            .collect();
        means.sort_by(f64::total_cmp);
        let interval = |confidence: Confidence| {
            let deviations = confidence.half_width(count - 1) * (count as f64 / (count as f64 - 1.0)).sqrt();
            let cut_off = normal::cumulative(-deviations) * (RESAMPLES - 1) as f64;
            let [low, high] = [cut_off, (RESAMPLES - 1) as f64 - cut_off].map(|place| place.round() as usize);
            (means[low].exp(), means[high].exp())
        };
        let (lower, upper) = interval(Confidence::Usual);
        let (surely_above, surely_below) = interval(Confidence::High);
        let ratio = (logs.iter().sum::<f64>() / count as f64).exp();
        Some(PairedRatio { ratio, lower, upper, is_sure: surely_above > 1.0 || surely_below < 1.0 })
    }

    /// The verdict. A difference needs the 99% interval, so that about one of a hundred comparisons of a program with
    /// itself claims a difference.
    pub fn verdict(&self) -> SpeedVerdict {
        match self.is_sure {
            true if self.ratio > 1.0 => SpeedVerdict::Faster,
            true => SpeedVerdict::Slower,
            false if self.uncertainty() > NOISY => SpeedVerdict::TooNoisy,
            false => SpeedVerdict::NoDifference,
        }
    }

    /// Whether the 99% interval excludes 1.
    pub fn is_clear(&self) -> bool {
        self.is_sure
    }

    /// Half the width of the interval, as a share of the estimate.
    pub fn uncertainty(&self) -> f64 {
        (self.upper - self.lower) / 2.0 / self.ratio
    }
}

/// The mean of the logarithms without the smallest and the largest.
fn mean_logarithm(ratios: &[f64]) -> f64 {
    let mut logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    if logs.iter().any(|log| !log.is_finite()) {
        return f64::NAN;
    }
    logs.sort_by(f64::total_cmp);
    let left_out = (logs.len() as f64 * TRIMMED) as usize;
    let kept = &logs[left_out..logs.len() - left_out];
    kept.iter().sum::<f64>() / kept.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// About as much as a normal variable with deviation 1.
    fn noise(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    /// Twelve sessions of five ratios: around `centre`, moved by something in each session, and scattered in it.
    fn sessions(centre: f64, between: f64, within: f64, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let session = |rng: &mut ChaCha8Rng| {
            let moved = between * noise(rng);
            (0..5).map(|_| centre * (moved + within * noise(rng)).exp()).collect()
        };
        (0..12).map(|_| session(&mut rng)).collect()
    }

    fn seen(sessions: &[Vec<f64>]) -> PairedRatio {
        PairedRatio::of_sessions(sessions.iter().map(Vec::as_slice)).unwrap()
    }

    #[test]
    fn one_measurement_says_nothing_and_equal_ones_say_it_exactly() {
        assert_eq!(PairedRatio::of(&[]), None);
        assert_eq!(PairedRatio::of(&[1.1]), None);
        assert_eq!(PairedRatio::of(&[1.0, f64::NAN]), None);
        assert_eq!(PairedRatio::of(&[1.0, 0.0]), None);
        assert_eq!(PairedRatio::of_sessions([&[1.0, 1.1][..], &[]]), None);
        let same = PairedRatio::of(&[2.0; 8]).unwrap();
        for value in [same.ratio, same.lower, same.upper] {
            assert!((value - 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_difference_of_one_percent_is_seen_in_spite_of_one_wild_measurement() {
        let mut sessions = sessions(1.01, 0.002, 0.004, 3);
        sessions[4][1] *= 3.0;
        let seen = seen(&sessions);
        assert_eq!(seen.verdict(), SpeedVerdict::Faster, "{seen:?}");
        assert!(seen.lower > 1.0 && seen.upper < 1.02, "{seen:?}");
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says_though_sessions_differ() {
        let runs = 300;
        let seen: Vec<PairedRatio> = (0..runs).map(|seed| seen(&sessions(1.0, 0.003, 0.005, seed))).collect();
        let covered = seen.iter().filter(|seen| seen.lower < 1.0 && seen.upper > 1.0).count();
        // 285 are expected, and four standard deviations are 15.
        assert!((270..=300).contains(&covered), "{covered} of {runs}");
        let wrong = seen.iter().filter(|seen| seen.is_clear()).count();
        assert!(wrong <= 10, "{wrong} of {runs} claim a difference where there is none");
    }

    #[test]
    fn what_scatters_too_much_is_not_called_the_same() {
        let told = |between| seen(&sessions(1.0, between, 0.005, 11)).verdict();
        assert_eq!(told(0.001), SpeedVerdict::NoDifference);
        assert_eq!(told(0.05), SpeedVerdict::TooNoisy);
    }
}
