//! The results of the steps of `arbiter ci`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::measure::{Baseline, Judgement, Step};
use crate::report::verdict::Verdict;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    pub step: Step,
    #[serde(flatten)]
    pub judgement: Judgement,
    pub seconds: f64,
}

/// The results of all steps, `ci.json`. `schema` changes whenever a field changes its meaning or is removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CiResult {
    pub schema: u32,
    pub engine: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    pub machine: String,
    pub started: Timestamp,
    pub verdict: Verdict,
    pub steps: Vec<StepResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    pub measured: Baseline,
}

impl CiResult {
    pub const SCHEMA: u32 = 2;

    /// The worst verdict of some steps; skipped steps do not count.
    pub fn verdict_on(steps: &[StepResult]) -> Verdict {
        let verdicts =
            steps.iter().map(|result| result.judgement.verdict).filter(|it| *it != Verdict::Skipped);
        verdicts.max().unwrap_or(Verdict::Same)
    }
}
