//! The answer to one question of the gate.

use serde::{Deserialize, Serialize};

use super::step::Step;
use crate::cli::CliError;
use crate::evidence::Unanswered;

/// What came of a step, from the best to the worst: the verdict on the whole is that of its worst step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepVerdict {
    /// As good as expected.
    Passed,
    /// Not asked, because the engine broke before.
    LeftOut,
    /// The games ran out, or the run was stopped, before the test had decided.
    Inconclusive,
    /// Worse than expected.
    Regression,
    /// The engine crashed, stalled, made an illegal move, or broke the protocol.
    Broken,
}

/// One step and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    /// The question.
    pub step: Step,
    /// The answer.
    pub verdict: StepVerdict,
    /// The answer in a line.
    pub sentence: String,
    /// What a reader needs beside it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The single checks that it is made of, the same ones for every build.
    pub checks: Vec<GateCheck>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// A single check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateCheck {
    /// What is checked.
    pub name: String,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: CheckOutcome,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "message", rename_all = "lowercase")]
pub enum CheckOutcome {
    /// As it should be.
    Passed,
    /// Not so, and in which way.
    Failed(String),
    /// Not known, and why.
    Skipped(String),
}

impl StepResult {
    /// A step without details whose only check is the step itself.
    pub fn new(step: Step, verdict: StepVerdict, sentence: impl Into<String>) -> StepResult {
        let sentence = sentence.into();
        StepResult { step, verdict, sentence, details: Vec::new(), checks: Vec::new(), seconds: 0.0 }
    }

    /// A step whose engine broke instead of answering; `check` is what it is made of.
    ///
    /// # Errors
    /// The engine could not be asked, which is the user's to mend.
    pub fn broken(
        step: Step,
        unanswered: Unanswered,
        check: impl Into<String>,
    ) -> Result<StepResult, CliError> {
        let what_it_did = unanswered.engines_doing()?;
        Ok(StepResult::new(step, StepVerdict::Broken, what_it_did).check_as_a_whole(check))
    }

    /// The same with one more line for the reader.
    #[must_use]
    pub fn detail(mut self, line: impl Into<String>) -> StepResult {
        self.details.push(line.into());
        self
    }

    /// The same with one more check.
    #[must_use]
    pub fn check(mut self, name: impl Into<String>, outcome: CheckOutcome) -> StepResult {
        self.checks.push(GateCheck { name: name.into(), outcome });
        self
    }

    /// The same with a check that says what the step says.
    #[must_use]
    pub fn check_as_a_whole(self, name: impl Into<String>) -> StepResult {
        let sentence = self.sentence.clone();
        let outcome = match self.verdict {
            StepVerdict::Passed => CheckOutcome::Passed,
            StepVerdict::LeftOut | StepVerdict::Inconclusive => CheckOutcome::Skipped(sentence),
            StepVerdict::Regression | StepVerdict::Broken => CheckOutcome::Failed(sentence),
        };
        self.check(name, outcome)
    }
}

impl CheckOutcome {
    /// Passed, or failed with this message.
    pub fn of(is_as_it_should_be: bool, message: impl FnOnce() -> String) -> CheckOutcome {
        if is_as_it_should_be { CheckOutcome::Passed } else { CheckOutcome::Failed(message()) }
    }
}
