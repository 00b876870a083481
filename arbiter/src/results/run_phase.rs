//! Whether a run is in progress.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use runner::{Event, FinishReason};

/// Whether a run is in progress, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunPhase {
    Running,
    /// No game is started for now; games in progress are finished.
    Paused,
    /// The run is about to end early; games in progress may still be finished.
    Stopping,
    /// The run ended early and can be resumed.
    Interrupted {
        /// The reason; `None` if the run was killed or the machine went down.
        reason: Option<FinishReason>,
    },
    /// There is nothing left to play.
    Finished {
        reason: FinishReason,
    },
}

impl RunPhase {
    /// The phase of a run that is no longer played, from the last event of its journal.
    pub fn left_by(last: Option<&Event>) -> RunPhase {
        match last {
            Some(Event::RunFinished { reason, .. }) => match reason {
                FinishReason::AllGamesPlayed
                | FinishReason::AcceptedH0
                | FinishReason::AcceptedH1
                | FinishReason::GaveUp
                | FinishReason::BaseOutOfReach { .. }
                | FinishReason::FoundBest
                | FinishReason::LittleToGain => RunPhase::Finished { reason: reason.clone() },
                FinishReason::Requested
                | FinishReason::GamesMissing
                | FinishReason::FileChanged { .. }
                | FinishReason::EngineDoesNotStart { .. } => {
                    RunPhase::Interrupted { reason: Some(reason.clone()) }
                }
            },
            _ => RunPhase::Interrupted { reason: None },
        }
    }
}
