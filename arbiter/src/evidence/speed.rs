//! How fast a build searches, alone or beside another one.

use super::unanswered::Unanswered;
use crate::speed::measurement::start_and_compare;
use crate::speed::{SpeedPlan, SpeedReport};
use runner::EngineConfig;
use stats::PairedRatio;

/// Starts the engines and measures them, the first one against each of the others.
///
/// # Errors
/// An engine does not start, breaks, or reports no nodes.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = &'a EngineConfig>,
    plan: &SpeedPlan,
) -> Result<SpeedReport, Unanswered> {
    start_and_compare(engines, plan, |_, _| {}).map_err(Unanswered::of)
}

/// The nodes per second of the first engine over those of the second, where both were measured often enough.
pub fn ratio(report: &SpeedReport) -> Option<&PairedRatio> {
    report.comparisons.first().and_then(|comparison| comparison.nodes_per_second())
}

/// Whether a build is slower by more than this share of the speed; `None` while the interval leaves it open.
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
    fn only_an_interval_beside_the_limit_tells() {
        let slower = |lower, upper| {
            let ratio = PairedRatio { ratio: f64::midpoint(lower, upper), lower, upper, is_sure: true };
            is_slower(&ratio, 0.02)
        };
        assert_eq!(slower(0.90, 0.97), Some(true));
        assert_eq!(slower(0.90, 0.99), None);
        assert_eq!(slower(0.99, 1.06), Some(false));
    }
}
