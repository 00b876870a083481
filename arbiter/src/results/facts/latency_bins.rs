//! The distribution of latencies.

use jiff::SignedDuration;

/// The borders of the bins in microseconds, in the steps 1, 2, 5. Smaller and larger latencies have a bin at each end.
const BORDERS: [i64; 13] =
    [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];

/// Counts of latencies in bins that grow with the latency.
#[derive(Clone, Copy, Debug, Default)]
pub struct LatencyBins {
    counts: [u64; BORDERS.len() + 1],
}

impl LatencyBins {
    /// Counts one latency. Engines report whole milliseconds, so it may be negative.
    pub fn add(&mut self, latency: SignedDuration) {
        let micros = latency.as_micros();
        self.counts[BORDERS.iter().filter(|border| micros >= i128::from(**border)).count()] += 1;
    }

    /// The counts of the bins, from short to long.
    pub const fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Texts for some of the borders: the place, counted in bins, and the latency.
    pub fn ticks() -> Vec<(f64, String)> {
        let decades =
            BORDERS.iter().enumerate().filter(|(_, border)| border.ilog10() != (**border - 1).ilog10());
        decades
            .map(|(place, border)| (place as f64 + 1.0, format!("{} ms", *border as f64 / 1000.0)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_latency_has_its_bin_and_powers_of_ten_have_texts() {
        let mut bins = LatencyBins::default();
        for micros in [-300, 0, 50, 99, 100, 700_000] {
            bins.add(SignedDuration::from_micros(micros));
        }
        assert_eq!((bins.counts()[0], bins.counts()[1], bins.counts()[2], bins.counts()[13]), (2, 2, 1, 1));
        let texts: Vec<String> = LatencyBins::ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0.1 ms", "1 ms", "10 ms", "100 ms"]);
    }
}
