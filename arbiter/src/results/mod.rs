//! The state of a run: what its events come to, one after the other.

pub mod adjudication;
pub mod ending;
mod engine_summary;
pub mod engine_tally;
pub mod facts;
mod game_averages;
mod latency_histogram;
#[cfg(test)]
pub(crate) mod made_up_games;
mod noise_log;
mod pairing_summary;
mod pairing_tally;
mod recorded_run;
mod run_outcome;
mod run_phase;
mod state;
mod summary;
mod tally;
mod tuned_summary;

pub use engine_summary::{EngineSummary, Latency};
pub use game_averages::GameAverages;
pub use noise_log::NoiseLog;
pub use pairing_summary::{PairingSummary, SprtSummary};
pub use recorded_run::RecordedRun;
pub use run_outcome::{FaultyGame, RunOutcome};
pub use run_phase::RunPhase;
pub use state::{RunState, SharedState};
pub use summary::Summary;
pub use tally::Tally;
pub use tuned_summary::TunedSummary;
