//! The ratio of two speeds that are measured side by side.

use super::normal::student_95;

/// The share trimmed at either end, both of the measurements of a session and of the sessions: a few are far off because of
/// other load.
const TRIMMED: f64 = 0.2;

/// The half width of a 90% interval of a normal variable, relative to a 95% interval.
const NINE_IN_TEN: f64 = 1.644854 / 1.959964;

/// The largest uncertainty, as a share of the estimate, with which "no difference" is a verdict.
const NOISY: f64 = 0.01;

/// The ratio of two speeds, with its 95% interval.
///
/// Measurements come in sessions, within which some conditions stay the same. For example, the memory addresses of a process
/// make the same program some tenths of a percent faster or slower until it is restarted (Kalibera and Jones, "Rigorous
/// benchmarking in reasonable time", ISMM 2013). So the sessions are the sample. A session's value is the trimmed mean of the
/// logarithms of its ratios, and the estimate is the trimmed mean of the sessions. The interval is Student's for trimmed
/// means (Tukey and `McLaughlin`, Sankhyā A 25, 1963): it has the deviation of the winsorized sessions, and one degree of
/// freedom less than there are untrimmed sessions. (A bootstrap over two sessions would exclude 1 every other time.)
///
/// ```
/// let speed = stats::PairedRatio::of(&[1.051, 1.049, 1.050, 1.052, 1.048]).expect("several sessions");
/// assert_eq!(speed.verdict(), stats::SpeedVerdict::Faster);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairedRatio {
    /// The estimated ratio.
    pub ratio: f64,
    /// The lower end of the 95% interval.
    pub lower: f64,
    /// The upper end of the 95% interval.
    pub upper: f64,
    /// Whether a difference is claimed: the interval excludes 1. Callers that know the resolution of the measurement clear
    /// this if the difference is smaller.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_sure: bool,
}

/// The verdict on a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SpeedVerdict {
    /// The first program is faster.
    Faster,
    /// The first program is slower.
    Slower,
    /// No difference of more than one percent.
    NoDifference,
    /// The measurements scatter too much to exclude a difference of one percent.
    TooNoisy,
}

impl PairedRatio {
    /// The ratio of measurements taken in parallel, each a session of its own.
    pub fn of(ratios: &[f64]) -> Option<PairedRatio> {
        PairedRatio::of_sessions(ratios.chunks(1))
    }

    /// The ratio from the ratios of several sessions, all positive and finite. `None` for fewer than two sessions, which have
    /// no spread; empty sessions are ignored.
    pub fn of_sessions<'a>(sessions: impl IntoIterator<Item = &'a [f64]>) -> Option<PairedRatio> {
        let sessions = sessions.into_iter().filter(|ratios| !ratios.is_empty());
        let mut logs: Vec<f64> = sessions.map(mean_logarithm).collect();
        let count = logs.len();
        if count < 2 || logs.iter().any(|log| !log.is_finite()) {
            return None;
        }
        logs.sort_by(f64::total_cmp);
        let kept = trimmed(&logs);
        let (mean, [first, .., last]) = (mean_of(kept), kept) else { return None };
        // Each trimmed value is replaced by the nearest kept one.
        let winsorized: Vec<f64> = logs.iter().map(|log| log.clamp(*first, *last)).collect();
        let centre = mean_of(&winsorized);
        let variance = winsorized.iter().map(|log| (log - centre).powi(2)).sum::<f64>() / (count - 1) as f64;
        let error = (variance * count as f64).sqrt() / kept.len() as f64;
        let half_width = student_95(kept.len() - 1) * error;
        let [ratio, lower, upper] = [mean, mean - half_width, mean + half_width].map(f64::exp);
        Some(PairedRatio { ratio, lower, upper, is_sure: lower > 1.0 || upper < 1.0 })
    }

    /// The verdict. It claims a difference by the 95% interval, so at most one in twenty comparisons of a program with itself
    /// does.
    pub fn verdict(&self) -> SpeedVerdict {
        match self.is_sure {
            true if self.ratio > 1.0 => SpeedVerdict::Faster,
            true => SpeedVerdict::Slower,
            false if self.uncertainty() > NOISY => SpeedVerdict::TooNoisy,
            false => SpeedVerdict::NoDifference,
        }
    }

    /// The 90th percentile of the difference measured for a program against itself, as a share of the estimate.
    pub fn resolution(&self) -> f64 {
        NINE_IN_TEN * self.uncertainty()
    }

    /// Half the width of the interval, as a share of the estimate.
    pub fn uncertainty(&self) -> f64 {
        (self.upper - self.lower) / 2.0 / self.ratio
    }
}

fn mean_logarithm(ratios: &[f64]) -> f64 {
    let mut logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    if logs.iter().any(|log| !log.is_finite()) {
        return f64::NAN;
    }
    logs.sort_by(f64::total_cmp);
    mean_of(trimmed(&logs))
}

fn trimmed(sorted: &[f64]) -> &[f64] {
    let left_out = (sorted.len() as f64 * TRIMMED) as usize;
    &sorted[left_out..sorted.len() - left_out]
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A nearly normal variable with standard deviation 1.
    fn noise(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    /// Sessions of five ratios around `centre`, with these deviations between and within sessions.
    fn sessions(count: usize, centre: f64, [between, within]: [f64; 2], seed: u64) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let session = |rng: &mut ChaCha8Rng| {
            let moved = between * noise(rng);
            (0..5).map(|_| centre * (moved + within * noise(rng)).exp()).collect()
        };
        (0..count).map(|_| session(&mut rng)).collect()
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
        let mut sessions = sessions(12, 1.01, [0.002, 0.004], 3);
        sessions[4][1] *= 3.0;
        let seen = seen(&sessions);
        assert_eq!(seen.verdict(), SpeedVerdict::Faster, "{seen:?}");
        assert!(seen.lower > 1.0 && seen.upper < 1.02, "{seen:?}");
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says_though_sessions_are_few_and_differ() {
        for count in [2, 3, 12, 24] {
            let spread = [0.003, 0.005];
            let seen = (0..300).map(|seed| seen(&sessions(count, 1.0, spread, seed)));
            let claims = seen.filter(|ratio| ratio.is_sure).count();
            // 15 are expected, with a tolerance of three standard deviations, 11.
            assert!((4..=26).contains(&claims), "{claims} of 300 with {count} sessions");
        }
    }

    #[test]
    fn what_scatters_too_much_is_not_called_the_same() {
        let told = |between| seen(&sessions(12, 1.0, [between, 0.005], 11)).verdict();
        assert_eq!(told(0.001), SpeedVerdict::NoDifference);
        assert_eq!(told(0.05), SpeedVerdict::TooNoisy);
    }
}
