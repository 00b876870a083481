//! The test of the values that a tuning finds.

use serde::{Deserialize, Serialize};

use super::TimeControl;
use stats::Sprt;

/// An SPRT of the values that a tuning finds against those from which it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuesTest {
    /// The test.
    pub sprt: Sprt,
    /// The time control of the test, if it differs from the tuning's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
}
