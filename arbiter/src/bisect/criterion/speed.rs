//! Is a build slower?

use std::time::Duration;

use anyhow::Context;

use super::{Judgement, SpeedCriterion, Subject, Verdict};
use crate::cli::{Blame, CliError};
use crate::engines::sessions;
use crate::files::suite_files;
use crate::speed::contest::compare;
use crate::speed::{SpeedContest, SpeedPlan, SpeedSuite};
use runner::{EngineConfig, SearchLimits};
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
            let session = sessions::start(subject.good).context("the good build").usage()?;
            session.quit();
            return Ok(Judgement::new(Verdict::Good, "the others are held against it"));
        }
        let mut positions = Vec::new();
        for (name, text) in suite_files::read("speed", &self.suites).usage()? {
            positions.extend(SpeedSuite::parse(&name, &text).usage()?.positions);
        }
        let mut evidence = String::new();
        for doubling in 0..=DOUBLINGS {
            let rounds = self.rounds << doubling;
            let ratio = match self.measure([subject.engine, subject.good], &positions, rounds) {
                Ok(Some(ratio)) => ratio,
                Ok(None) => return Ok(Judgement::skipped("too few positions to measure by")),
                Err(error) => return Ok(Judgement::skipped(format!("{error:#}"))),
            };
            evidence = described(&ratio);
            let limit = 1.0 - self.slower / 100.0;
            if ratio.upper < limit {
                return Ok(Judgement::new(Verdict::Bad, evidence));
            }
            if ratio.lower > limit {
                return Ok(Judgement::new(Verdict::Good, evidence));
            }
        }
        let limit = self.slower;
        Ok(Judgement::skipped(format!("whether it is {limit}% slower cannot be told: {evidence}")))
    }

    fn measure(
        &self,
        engines: [&EngineConfig; 2],
        positions: &[String],
        rounds: u32,
    ) -> anyhow::Result<Option<PairedRatio>> {
        let mut contestants = Vec::new();
        for engine in engines {
            let session = sessions::start(engine)?;
            contestants.push(SpeedContest { name: engine.name.clone(), session });
        }
        let plan = SpeedPlan {
            positions: positions.to_vec(),
            go: (self.limits != SearchLimits::default()).then(|| self.limits.go()),
            duration: DURATION * rounds,
            rounds,
        };
        let report = compare(&mut contestants, &plan, |_, _| {})?;
        for contestant in contestants {
            contestant.session.quit();
        }
        Ok(report.comparisons.first().and_then(|comparison| comparison.nodes_per_second().copied()))
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
