//! The facts that the page shows, counted game by game while the journal is read.
//!
//! Memory is bounded: sums, a few hundred points, and the games of the viewer.

mod evaluations;
mod faulty_games;
mod game_lengths;
mod latency_bins;
mod log_excerpt;
mod move_times;
mod opening_scores;
mod phase;
mod run_facts;
mod scores_by_colour;
mod timeline;
mod tuning_course;

pub use evaluations::Evaluations;
pub use faulty_games::{FaultyGameWithLog, FaultyGames};
pub use game_lengths::GameLengths;
pub use latency_bins::LatencyBins;
pub use log_excerpt::{LogExcerpt, last_words, log_of};
pub use move_times::MoveTimes;
pub use opening_scores::{OpeningScore, OpeningScores};
pub use phase::{Phase, PhaseAverages};
pub use run_facts::RunFacts;
pub use scores_by_colour::{STANDARD_START, ScoresByColour, pairable};
pub use timeline::{Moment, Timeline};
pub use tuning_course::{TuningCourse, TuningMoment};
