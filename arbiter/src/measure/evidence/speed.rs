//! The speed of a build, alone or side by side with another one.

use super::measure_error::MeasureError;
use crate::measure::speed::measurement::start_and_compare;
use crate::measure::speed::{SpeedPlan, SpeedReport};
use runner::EngineConfig;
use stats::PairedRatio;

/// Starts the engines and measures them; the first one is compared with each of the others.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = &'a EngineConfig>,
    plan: &SpeedPlan,
) -> Result<SpeedReport, MeasureError> {
    start_and_compare(engines, plan, |_, _| {}).map_err(MeasureError::of)
}

/// The ratio of the first engine's NPS to the second's; `None` with too few measurements.
pub fn ratio(report: &SpeedReport) -> Option<&PairedRatio> {
    report.comparisons.first().and_then(|comparison| comparison.nodes_per_second())
}

/// Whether a build is slower by more than this share of the speed; `None` if the interval contains the limit.
pub fn is_slower(ratio: &PairedRatio, share: f64) -> Option<bool> {
    let limit = 1.0 - share;
    if ratio.upper < limit {
        Some(true)
    } else if ratio.lower > limit {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_contains_the_limit_decides_nothing() {
        let slower = |lower, upper| {
            let ratio = PairedRatio { ratio: f64::midpoint(lower, upper), lower, upper, is_sure: true };
            is_slower(&ratio, 0.02)
        };
        assert_eq!(slower(0.90, 0.97), Some(true));
        assert_eq!(slower(0.90, 0.99), None);
        assert_eq!(slower(0.99, 1.06), Some(false));
    }
}
