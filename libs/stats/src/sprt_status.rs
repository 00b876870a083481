//! Where a sequential test stands.

use serde::{Deserialize, Serialize};

/// What a sequential test says after the games so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtStatus {
    /// Between the bounds: play on.
    Continue,
    /// At or below the lower bound: the difference is not above `elo0`.
    AcceptH0,
    /// At or above the upper bound: the difference is at least `elo1`.
    AcceptH1,
}
