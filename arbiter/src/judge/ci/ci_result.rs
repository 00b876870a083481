//! The result of a run of `arbiter ci`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};

/// The results of all steps, `ci.json`. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CiResult {
    /// The version of this format.
    pub schema: u32,
    /// The engine under test.
    pub engine: String,
    /// Files of its repository with uncommitted changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The build that speed and games are compared with, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The machine.
    pub machine: String,
    /// When the run started.
    pub started: Timestamp,
    /// The worst verdict of the steps.
    pub verdict: StepVerdict,
    /// The steps in their order.
    pub steps: Vec<StepResult>,
    /// The baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The measurements.
    pub measured: Baseline,
}

impl CiResult {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 2;

    /// The steps with this verdict.
    pub fn steps_with(&self, verdict: StepVerdict) -> Vec<Step> {
        self.steps.iter().filter(|result| result.verdict == verdict).map(|result| result.step).collect()
    }

    /// The worst verdict of some steps; skipped steps do not count.
    pub fn verdict_on(steps: &[StepResult]) -> StepVerdict {
        let verdicts = steps.iter().map(|result| result.verdict).filter(|it| *it != StepVerdict::Skipped);
        verdicts.max().unwrap_or(StepVerdict::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::StepVerdict::{Broken, Inconclusive, Passed, Regression, Skipped};
    use super::*;

    #[test]
    fn the_worst_step_decides_and_a_skipped_one_does_not() {
        let steps = |verdicts: &[StepVerdict]| -> Vec<StepResult> {
            verdicts.iter().map(|verdict| StepResult::new(Step::Bench, *verdict, "")).collect()
        };
        assert_eq!(CiResult::verdict_on(&[]), Passed);
        assert_eq!(CiResult::verdict_on(&steps(&[Passed, Skipped])), Passed);
        assert_eq!(CiResult::verdict_on(&steps(&[Inconclusive, Regression, Passed])), Regression);
        assert_eq!(CiResult::verdict_on(&steps(&[Regression, Broken, Skipped])), Broken);
    }
}
