//! The speed step: is the build slower?

use super::baseline::{Baseline, SpeedRecord};
use super::match_step::Builds;
use super::plan::SpeedStepPlan;
use super::step::Step;
use super::step::{StepResult, StepVerdict};
use crate::cli::CliError;
use crate::measure::evidence::speed;
use crate::measure::speed::{SpeedPlan, SpeedReport};
use crate::text::number_text::thousands;
use stats::PairedRatio;

/// What the speed is compared with if there is no second build.
pub struct Expected<'a> {
    pub baseline: Option<&'a Baseline>,
    pub machine: &'a str,
}

/// Measures the speed, side by side with the other build if there is one. Only a comparison side by side can fail: the
/// speed of the baseline was measured at another time, so the difference is only shown, and a speed of another machine
/// is not compared.
pub fn run(
    plan: &SpeedStepPlan,
    builds: &Builds,
    expected: &Expected<'_>,
    record: &mut Option<SpeedRecord>,
) -> Result<StepResult, CliError> {
    let speed_plan =
        SpeedPlan { positions: plan.positions.clone(), go: None, duration: plan.duration, rounds: 1 };
    let engines = [Some(&builds.engine), builds.other()].into_iter().flatten();
    let report = match speed::measure(engines, &speed_plan) {
        Ok(report) => report,
        Err(error) => return StepResult::broken(Step::Speed, error, "NPS"),
    };
    let measured = &report.engines[0];
    let nodes_per_second = measured.nodes_per_cpu_second.unwrap_or(measured.nodes_per_second) as u64;
    *record = Some(SpeedRecord { nodes_per_second, machine: expected.machine.to_owned() });
    let known = expected.baseline.and_then(|known| known.speed.as_ref());
    let mut result = match speed::ratio(&report) {
        Some(ratio) => judge(ratio, plan.tolerance, &report.engines[1].name),
        None => StepResult::new(
            Step::Speed,
            StepVerdict::Passed,
            alone(nodes_per_second, known, expected.machine),
        ),
    };
    result.details.extend(doubts(&report));
    Ok(result.check_as_a_whole("NPS"))
}

/// A regression if the whole interval is below the accepted loss.
fn judge(ratio: &PairedRatio, tolerance: f64, other: &str) -> StepResult {
    let is_slower = speed::is_slower(ratio, tolerance) == Some(true);
    let verdict = if is_slower { StepVerdict::Regression } else { StepVerdict::Passed };
    let percent = |ratio: f64| format!("{:+.1}%", (ratio - 1.0) * 100.0);
    let [middle, lower, upper] = [ratio.ratio, ratio.lower, ratio.upper].map(percent);
    StepResult::new(Step::Speed, verdict, format!("{middle} NPS vs {other} (95% {lower} to {upper})"))
}

/// The speed of one build, with the baseline's if that is of the same machine.
fn alone(now: u64, known: Option<&SpeedRecord>, machine: &str) -> String {
    let measured = format!("{} NPS", thousands(now));
    match known {
        None => measured,
        Some(before) if before.machine != machine => {
            format!(
                "{measured}; not compared, because the baseline is of another machine ({})",
                before.machine
            )
        }
        Some(before) => {
            let change = (now as f64 / before.nodes_per_second as f64 - 1.0) * 100.0;
            format!(
                "{measured}, {change:+.1}% vs baseline (not judged, because it was measured at another time)"
            )
        }
    }
}

fn doubts(report: &SpeedReport) -> Vec<String> {
    report.warnings().into_iter().map(|doubt| format!("warning: {doubt}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_loss_beyond_the_tolerance_is_a_regression() {
        let verdict = |lower, upper| {
            let ratio = PairedRatio { ratio: f64::midpoint(lower, upper), lower, upper, is_sure: true };
            judge(&ratio, 0.02, "old").verdict
        };
        assert_eq!(verdict(0.90, 0.97), StepVerdict::Regression);
        assert_eq!(verdict(0.90, 0.99), StepVerdict::Passed);
        assert_eq!(verdict(1.05, 1.06), StepVerdict::Passed);
    }

    #[test]
    fn a_speed_of_another_machine_is_not_compared() {
        let known = SpeedRecord { nodes_per_second: 1000, machine: "old iron".to_owned() };
        assert!(alone(2000, Some(&known), "new iron").contains("another machine (old iron)"));
        assert!(alone(2000, Some(&known), "old iron").contains("+100.0%"));
    }
}
