//! The steps of `arbiter ci`, in their order.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// One step. Cheap steps, and steps whose failure makes the others pointless, come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Does the build follow the UCI protocol?
    Protocol,
    /// Does it generate exactly the legal moves?
    Perft,
    /// Does its bench search the expected number of nodes?
    Bench,
    /// Does it solve the tactics positions?
    Tactics,
    /// Does a build with sanitizers report an error?
    Sanitize,
    /// Is it slower than the --against build?
    Speed,
    /// Is it weaker than the --against build?
    Match,
}

impl Step {
    /// The name, which is also the name of its table in `arbiter.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Step::Protocol => "protocol",
            Step::Perft => "perft",
            Step::Bench => "bench",
            Step::Tactics => "tactics",
            Step::Sanitize => "sanitize",
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
