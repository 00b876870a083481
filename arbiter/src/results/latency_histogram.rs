//! Counts of latencies, from which quantiles can be read.

use std::collections::BTreeMap;
use std::time::Duration;

/// Classes in each power of two of microseconds; with this many a quantile is off by less than 1%.
const CLASSES_PER_DOUBLING: u64 = 128;

/// How often each latency was seen, in classes less than 1% wide and exact below 256 µs.
///
/// A run of a hundred thousand games has millions of moves; this takes some hundred numbers, and the order in which
/// the moves came does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyHistogram {
    /// By class.
    counts: BTreeMap<u64, u64>,
    max: Duration,
}

impl LatencyHistogram {
    pub fn record(&mut self, latency: Duration) {
        *self.counts.entry(class_of(latency)).or_default() += 1;
        self.max = self.max.max(latency);
    }

    /// The largest latency, exactly. `None` when none was recorded.
    pub fn max(&self) -> Option<Duration> {
        (!self.counts.is_empty()).then_some(self.max)
    }

    /// The latency that a share of `quantile` (from 0 to 1) of the moves does not exceed. `None` when none was
    /// recorded.
    pub fn quantile(&self, quantile: f64) -> Option<Duration> {
        let total: u64 = self.counts.values().sum();
        let rank = ((total as f64 * quantile).ceil() as u64).clamp(1, total.max(1));
        let mut seen = 0;
        for (&class, &count) in &self.counts {
            seen += count;
            if seen >= rank {
                return Some(upper_end(class).min(self.max));
            }
        }
        None
    }
}

/// Below twice the classes of a doubling the class is the number of microseconds itself; above, its leading eight bits
/// and how many were cut off.
fn class_of(latency: Duration) -> u64 {
    let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
    let cut = u64::from((micros / (2 * CLASSES_PER_DOUBLING)).checked_ilog2().map_or(0, |log| log + 1));
    cut * CLASSES_PER_DOUBLING + (micros >> cut)
}

/// The largest latency in a class.
fn upper_end(class: u64) -> Duration {
    let cut = (class / CLASSES_PER_DOUBLING).saturating_sub(1);
    let lead = u128::from(class - cut * CLASSES_PER_DOUBLING);
    let micros = ((lead + 1) << cut) - 1;
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_recorded_has_no_quantile() {
        assert_eq!(LatencyHistogram::default().quantile(0.99), None);
        assert_eq!(LatencyHistogram::default().max(), None);
    }

    #[test]
    fn one_slow_move_in_a_hundred_is_the_max_but_not_the_99th_percentile() {
        let mut histogram = LatencyHistogram::default();
        for _ in 0..99 {
            histogram.record(Duration::from_micros(200));
        }
        histogram.record(Duration::from_secs(1));
        assert_eq!(histogram.quantile(0.99), Some(Duration::from_micros(200)));
        assert_eq!(histogram.quantile(1.0), Some(Duration::from_secs(1)));
        assert_eq!(histogram.max(), Some(Duration::from_secs(1)));
    }

    proptest! {
        #[test]
        fn a_class_is_less_than_one_percent_wide(micros in prop_oneof![0_u64..5000, any::<u64>()]) {
            let upper = upper_end(class_of(Duration::from_micros(micros))).as_micros() as u64;
            prop_assert!(upper >= micros);
            prop_assert!((upper - micros) as f64 <= 0.01 * micros as f64, "{micros} µs counts as {upper} µs");
        }
    }
}
