//! The state of a run: what its events come to, one after the other.

pub mod adjudication;
pub mod ending;
pub mod facts;
#[cfg(test)]
pub(crate) mod made_up_games;
mod noise_log;
mod recorded_run;
mod state;
mod summary;
pub mod tally;

pub use noise_log::NoiseLog;
pub use recorded_run::{FaultyGame, RecordedRun, RunOutcome, RunPhase};
pub use state::{RunState, SharedState};
pub use summary::{EngineSummary, GameAverages, Latency, PairingSummary, SprtSummary, Summary, TunedSummary};
pub use tally::Tally;
