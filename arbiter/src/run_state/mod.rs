//! The state of a run: what its games come to, one after the other, in whatever order they ended.

mod engine_summary;
pub mod engine_tally;
mod game_averages;
mod journal_digest;
mod latency_histogram;
#[cfg(test)]
pub(crate) mod made_up_games;
mod noise_log;
mod pairing_summary;
mod pairing_tally;
mod summary;
mod tally;

pub use engine_summary::{EngineSummary, Latency};
pub use game_averages::GameAverages;
pub use journal_digest::JournalDigest;
pub use noise_log::NoiseLog;
pub use pairing_summary::{PairingSummary, SprtSummary};
pub use summary::Summary;
pub use tally::Tally;
