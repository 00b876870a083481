//! The steps of `arbiter ci`, in their order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cli::CliError;
use crate::measure::MeasureError;
use crate::report::verdict::Judged;

/// One step. Cheap steps, and steps whose failure makes the others pointless, come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Does it follow the UCI protocol?
    Protocol,
    /// Does it generate the legal moves?
    Perft,
    /// Does its bench have the expected nodes?
    Bench,
    /// Does it solve the tactics?
    Tactics,
    /// Is it slower?
    Speed,
    /// Is it weaker?
    Match,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {steps}, found `{0}`", steps = Step::ALL.map(Step::name).join(", "))]
pub struct UnknownStep(pub String);

impl Step {
    pub const ALL: [Step; 6] =
        [Step::Protocol, Step::Perft, Step::Bench, Step::Tactics, Step::Speed, Step::Match];

    /// The name, also that of its table in `arbiter.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Step::Protocol => "protocol",
            Step::Perft => "perft",
            Step::Bench => "bench",
            Step::Tactics => "tactics",
            Step::Speed => "speed",
            Step::Match => "match",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Step {
    type Err = UnknownStep;

    fn from_str(text: &str) -> Result<Step, UnknownStep> {
        Step::ALL.into_iter().find(|step| step.name() == text).ok_or_else(|| UnknownStep(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    pub step: Step,
    pub verdict: Judged,
    pub sentence: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    pub checks: Vec<StepCheck>,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepCheck {
    pub name: String,
    #[serde(flatten)]
    pub outcome: CheckOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "message", rename_all = "lowercase")]
pub enum CheckOutcome {
    Passed,
    /// Failed, and why.
    Failed(String),
    /// Not run or undecided, and why.
    Skipped(String),
}

impl StepResult {
    /// A step without details whose only check is the step itself.
    pub fn new(step: Step, verdict: Judged, sentence: impl Into<String>) -> StepResult {
        let sentence = sentence.into();
        StepResult { step, verdict, sentence, details: Vec::new(), checks: Vec::new(), seconds: 0.0 }
    }

    /// A step that failed by an engine fault; `check` is the name of its check.
    pub fn broken(step: Step, error: MeasureError, check: impl Into<String>) -> Result<StepResult, CliError> {
        let fault = error.engine_fault()?;
        Ok(StepResult::new(step, Judged::Broken, fault).check_as_a_whole(check))
    }

    #[must_use]
    pub fn detail(mut self, line: impl Into<String>) -> StepResult {
        self.details.push(line.into());
        self
    }

    #[must_use]
    pub fn check(mut self, name: impl Into<String>, outcome: CheckOutcome) -> StepResult {
        self.checks.push(StepCheck { name: name.into(), outcome });
        self
    }

    /// Adds a check with the verdict and the sentence of the step.
    #[must_use]
    pub fn check_as_a_whole(self, name: impl Into<String>) -> StepResult {
        let sentence = self.sentence.clone();
        let outcome = match self.verdict {
            Judged::Better | Judged::Same => CheckOutcome::Passed,
            Judged::Skipped | Judged::CannotTell => CheckOutcome::Skipped(sentence),
            Judged::Worse | Judged::Broken => CheckOutcome::Failed(sentence),
        };
        self.check(name, outcome)
    }
}

impl CheckOutcome {
    /// Passed, or failed with this message.
    pub fn of(passed: bool, message: impl FnOnce() -> String) -> CheckOutcome {
        if passed { CheckOutcome::Passed } else { CheckOutcome::Failed(message()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_parsed_by_its_name_and_the_error_lists_the_names() {
        assert!(Step::ALL.iter().all(|step| step.name().parse() == Ok(*step)));
        let message = "pertf".parse::<Step>().unwrap_err().to_string();
        assert_eq!(message, "expected protocol, perft, bench, tactics, speed, match, found `pertf`");
    }
}
