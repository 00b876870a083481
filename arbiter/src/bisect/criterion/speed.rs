//! Is a build slower?

use std::time::Duration;

use super::{Judgement, SpeedCriterion, Subject, Verdict};
use crate::cli::{Blame, CliError};
use crate::evidence::speed;
use crate::speed::{SpeedPlan, SpeedSuite};
use runner::SearchLimits;
use stats::PairedRatio;

/// How long one round takes when there is no limit.
const DURATION: Duration = Duration::from_secs(30);

/// So often the number of rounds is doubled while the interval leaves it open.
const DOUBLINGS: u32 = 2;

impl SpeedCriterion {
    /// Measures the build side by side with the good one, longer while the interval holds the limit.
    ///
    /// # Errors
    /// A suite cannot be read, or the good build cannot be measured.
    pub fn judge(&self, subject: &Subject<'_>) -> Result<Judgement, CliError> {
        if subject.is_the_good_one() {
            return subject.starts();
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
            let report = match speed::measure([subject.engine, subject.good], &plan) {
                Ok(report) => report,
                Err(unanswered) => return Ok(Judgement::skipped(unanswered.to_string())),
            };
            let Some(ratio) = speed::ratio(&report) else {
                return Ok(Judgement::skipped("too few positions to measure by"));
            };
            evidence = described(ratio);
            match speed::is_slower(ratio, self.slower / 100.0) {
                Some(true) => return Ok(Judgement::new(Verdict::Bad, evidence)),
                Some(false) => return Ok(Judgement::new(Verdict::Good, evidence)),
                None => {}
            }
        }
        let limit = self.slower;
        Ok(Judgement::skipped(format!("whether it is {limit}% slower cannot be told: {evidence}")))
    }
}

/// `3.1% slower than the good one, 95% between 2.6 and 3.7`.
fn described(ratio: &PairedRatio) -> String {
    let [least, value, most] = [ratio.lower, ratio.ratio, ratio.upper].map(|ratio| (ratio - 1.0) * 100.0);
    if value < 0.0 {
        format!("{:.1}% slower than the good one, 95% between {:.1} and {:.1}", -value, -most, -least)
    } else {
        format!("{value:.1}% faster than the good one, 95% between {least:.1} and {most:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_and_faster_are_told_with_the_ends_in_order() {
        let slower = PairedRatio { ratio: 0.9, lower: 0.88, upper: 0.93, is_sure: true };
        assert_eq!(described(&slower), "10.0% slower than the good one, 95% between 7.0 and 12.0");
        let faster = PairedRatio { ratio: 1.05, lower: 0.99, upper: 1.1, is_sure: false };
        assert_eq!(described(&faster), "5.0% faster than the good one, 95% between -1.0 and 10.0");
    }
}
