//! The state of a run: what its events come to, one after the other.

pub mod adjudication;
pub mod ending;
pub mod engine_tally;
pub mod facts;
mod latency_histogram;
#[cfg(test)]
pub(crate) mod made_up_games;
mod noise_log;
mod recorded_run;
mod run_outcome;
mod run_phase;
mod state;
mod summary;
mod tally;

pub use noise_log::NoiseLog;
pub use recorded_run::RecordedRun;
pub use run_outcome::{FaultyGame, RunOutcome};
pub use run_phase::RunPhase;
pub use state::{RunState, SharedState};
pub use summary::{EngineSummary, GameAverages, Latency, PairingSummary, SprtSummary, Summary, TunedSummary};
pub use tally::Tally;
