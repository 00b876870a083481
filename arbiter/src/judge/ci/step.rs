//! The steps of `arbiter ci`, in their order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::measure::Judgement;

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

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    pub step: Step,
    #[serde(flatten)]
    pub judgement: Judgement,
    pub seconds: f64,
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
