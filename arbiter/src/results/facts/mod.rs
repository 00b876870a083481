//! The facts that the report page shows, counted game by game while the journal is read.
//!
//! Memory is bounded: sums, a few hundred points, and the games of the viewer.

pub mod distributions;
mod faulty_games;
mod opening_scores;
mod run_facts;
mod timeline;

pub use distributions::{GameLengths, GamePhase, LatencyBins, MoveTimes, PhaseAverages};
pub use faulty_games::{FaultyGameWithLog, LogExcerpt, again, first_of_each, last_words, log_of};
pub use opening_scores::{OpeningScore, OpeningScores, STANDARD_START, pairable};
pub use run_facts::{Evaluations, RunFacts};
pub use timeline::{Timeline, TimelinePoint, TuningPoint};
