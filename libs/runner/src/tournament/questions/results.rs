//! A fixed schedule, which is played to its end.

use serde::{Deserialize, Serialize};

use super::Rule;
use crate::RunConfig;

/// The results of all games of a round robin, a gauntlet or listed pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results;

impl Rule for Results {
    fn of_run(_config: &RunConfig) -> Option<Results> {
        Some(Results)
    }
}
