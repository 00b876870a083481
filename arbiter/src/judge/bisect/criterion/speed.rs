//! `--by speed`: a build is bad if it is slower than the good one.

use std::time::Duration;

use super::{SpeedCriterion, TestResult, TestedBuild, Verdict};
use crate::cli::{Blame, CliError};
use crate::measure::evidence::speed;
use crate::measure::speed::{SpeedPlan, SpeedSuite};
use runner::SearchLimits;
use stats::PairedRatio;

/// The duration of a round without a limit.
const DURATION: Duration = Duration::from_secs(30);

/// How often the number of rounds is doubled while the interval contains the limit.
const DOUBLINGS: u32 = 2;

impl SpeedCriterion {
    /// Measures the build side by side with the good one, with more rounds while the interval contains the limit.
    pub fn judge(&self, build: &TestedBuild<'_>) -> Result<TestResult, CliError> {
        if build.is_good() {
            return build.check_start();
        }
        let positions = SpeedSuite::read_positions(&self.suites).usage()?;
        let mut evidence = String::new();
        for doubling in 0..=DOUBLINGS {
            let rounds = self.rounds << doubling;
            let plan = SpeedPlan {
                positions: positions.clone(),
                go: (self.limits != SearchLimits::default()).then(|| self.limits.go()),
                duration: DURATION * rounds,
                rounds,
            };
            let report = match speed::measure([build.engine, build.good], &plan) {
                Ok(report) => report,
                Err(error) => return Ok(TestResult::skipped(error.to_string())),
            };
            let Some(ratio) = speed::ratio(&report) else {
                return Ok(TestResult::skipped("too few positions for a comparison"));
            };
            evidence = described(ratio);
            match speed::is_slower(ratio, self.max_slowdown / 100.0) {
                Some(true) => return Ok(TestResult::new(Verdict::Bad, evidence)),
                Some(false) => return Ok(TestResult::new(Verdict::Good, evidence)),
                None => {}
            }
        }
        let limit = self.max_slowdown;
        Ok(TestResult::skipped(format!("undecided whether it is {limit}% slower: {evidence}")))
    }
}

/// `3.1% slower than the good one (95%: 2.6 to 3.7)`.
fn described(ratio: &PairedRatio) -> String {
    let [least, value, most] = [ratio.lower, ratio.ratio, ratio.upper].map(|ratio| (ratio - 1.0) * 100.0);
    if value < 0.0 {
        format!("{:.1}% slower than the good one (95%: {:.1} to {:.1})", -value, -most, -least)
    } else {
        format!("{value:.1}% faster than the good one (95%: {least:.1} to {most:.1})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_the_interval_are_in_order() {
        let slower = PairedRatio { ratio: 0.9, lower: 0.88, upper: 0.93, is_sure: true };
        assert_eq!(described(&slower), "10.0% slower than the good one (95%: 7.0 to 12.0)");
        let faster = PairedRatio { ratio: 1.05, lower: 0.99, upper: 1.1, is_sure: false };
        assert_eq!(described(&faster), "5.0% faster than the good one (95%: -1.0 to 10.0)");
    }
}
