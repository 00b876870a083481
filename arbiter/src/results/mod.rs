//! Sums up the events of a run: one state counts every game once, and the summary is drawn from it.

pub mod adjudication;
pub mod ending;
mod engine_summary;
mod engine_sums;
mod evidence;
pub mod facts;
mod limit_use;
mod machines;
pub mod observers;
mod pairing_summary;
mod pgn_ending;
mod pgn_files;
mod play_time;
mod rating_list;
mod run_phase;
mod run_results;
mod run_sums;
pub mod saved_state;
mod state;
mod summary;
#[cfg(test)]
pub(crate) mod test_games;

pub use ending::FaultyGame;
pub use engine_summary::{EngineSummary, Latency};
pub use engine_sums::GameAverages;
pub use evidence::{is_most, is_unfounded, of_pairs};
pub use limit_use::{Limit, LimitDoubt, LimitUse, SearchEnd};
pub use machines::{MachineComparison, MachineDifference, MachineSummary};
pub use observers::Observer;
pub use pairing_summary::{Estimates, PairingSummary};
pub use pgn_ending::{PgnEnding, ToldEnding};
pub use pgn_files::{PgnFiles, WithoutFact};
pub use play_time::NoiseLog;
pub use rating_list::{ExcludedGames, ListedPlayer, RatingList};
pub use run_phase::RunPhase;
pub use run_results::RunResults;
pub use runner::SprtSummary;
pub use state::{RunState, SharedState};
pub use summary::{BestSummary, PoolSummary, Summary, TunedSummary};
