//! All answers about one build.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};

/// What the gate says about a build. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateResult {
    /// The version of this format.
    pub schema: u32,
    /// The engine as it was asked for.
    pub engine: String,
    /// Files of its repository with changes that are in no commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The build that it is held against in speed and games, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The machine.
    pub machine: String,
    /// When it began.
    pub started: Timestamp,
    /// The worst of the steps.
    pub verdict: StepVerdict,
    /// The steps in their order.
    pub steps: Vec<StepResult>,
    /// What was expected; `None` as long as no baseline is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// What the build did.
    pub measured: Baseline,
}

impl GateResult {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The steps that came out this way.
    pub fn steps_with(&self, verdict: StepVerdict) -> Vec<Step> {
        self.steps.iter().filter(|result| result.verdict == verdict).map(|result| result.step).collect()
    }

    /// The verdict on some steps: the worst, where one left out counts for nothing.
    pub fn verdict_on(steps: &[StepResult]) -> StepVerdict {
        let asked = steps.iter().map(|result| result.verdict).filter(|it| *it != StepVerdict::LeftOut);
        asked.max().unwrap_or(StepVerdict::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::StepVerdict::{Broken, Inconclusive, LeftOut, Passed, Regression};
    use super::*;

    #[test]
    fn the_worst_step_decides_and_one_left_out_does_not() {
        let steps = |verdicts: &[StepVerdict]| -> Vec<StepResult> {
            verdicts.iter().map(|verdict| StepResult::new(Step::Bench, *verdict, "")).collect()
        };
        assert_eq!(GateResult::verdict_on(&[]), Passed);
        assert_eq!(GateResult::verdict_on(&steps(&[Passed, LeftOut])), Passed);
        assert_eq!(GateResult::verdict_on(&steps(&[Inconclusive, Regression, Passed])), Regression);
        assert_eq!(GateResult::verdict_on(&steps(&[Regression, Broken, LeftOut])), Broken);
    }
}
