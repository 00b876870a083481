//! The questions that the gate asks, in their order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One question about a build. The order is that in which they are asked: what is cheap, and what makes all others
/// pointless, comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Does it keep to the protocol?
    Protocol,
    /// Does it know the rules?
    Perft,
    /// Does it search what it is said to search?
    Bench,
    /// Does it still find the tactics?
    Tactics,
    /// Is it still as fast?
    Speed,
    /// Is it no weaker?
    Match,
}

/// A text that names no step.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {steps}, found `{0}`", steps = Step::ALL.map(Step::name).join(", "))]
pub struct UnknownStep(pub String);

impl Step {
    /// All of them in their order.
    pub const ALL: [Step; 6] =
        [Step::Protocol, Step::Perft, Step::Bench, Step::Tactics, Step::Speed, Step::Match];

    /// The name, which is also that of its table in the file that says what to ask.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_by_its_name_and_the_names_are_told() {
        assert!(Step::ALL.iter().all(|step| step.name().parse() == Ok(*step)));
        let message = "pertf".parse::<Step>().unwrap_err().to_string();
        assert_eq!(message, "expected protocol, perft, bench, tactics, speed, match, found `pertf`");
    }
}
