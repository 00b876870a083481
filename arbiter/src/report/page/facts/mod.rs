//! What the page shows, counted game by game while the journal is read.
//!
//! However long a run is, only sums, a few hundred points and the games that the page shows whole are kept.

mod course;
mod evaluations;
mod game_lengths;
mod latency_bins;
mod log_excerpt;
mod move_times;
mod odd_games;
mod opening_scores;
mod phase;
mod run_facts;
mod scores_by_colour;

pub use course::{Course, Moment};
pub use evaluations::Evaluations;
pub use game_lengths::GameLengths;
pub use latency_bins::LatencyBins;
pub use log_excerpt::LogExcerpt;
pub use move_times::MoveTimes;
pub use odd_games::{OddGameWithLog, OddGames};
pub use opening_scores::{OpeningScore, OpeningScores};
pub use phase::{Phase, PhaseAverages};
pub use run_facts::RunFacts;
pub use scores_by_colour::ScoresByColour;
