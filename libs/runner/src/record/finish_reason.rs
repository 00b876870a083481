//! Why a run ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stats::OutOfReach;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FinishReason {
    /// Every game of the schedule was played.
    AllGamesPlayed,
    /// The sequential test accepted H0.
    AcceptedH0,
    /// The sequential test accepted H1.
    AcceptedH1,
    /// The SPRT was given up: too few games were left to accept H1.
    GaveUp,
    /// The best of several candidates is known.
    FoundBest,
    /// The base is too weak or too strong to tell which of several candidates is the best.
    BaseOutOfReach {
        /// Whether it is too weak or too strong.
        base: OutOfReach,
    },
    /// The best values of a tuning are expected to gain less over the current ones than more games are worth.
    LittleToGain,
    /// The user stopped the run; it can be resumed.
    Requested,
    /// Games were missing when the shards were merged; the run can be resumed.
    GamesMissing,
    /// An engine failed to start several times in a row; the run can be resumed.
    EngineDoesNotStart {
        /// The index of the engine.
        engine: usize,
        /// The failure of the last attempt.
        detail: String,
    },
    /// A program or another file of an engine has changed since the start of the run; once it is restored, the run can
    /// be resumed.
    FileChanged {
        /// The file, and what happened to it.
        detail: String,
    },
}
