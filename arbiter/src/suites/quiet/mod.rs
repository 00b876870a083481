//! Quiet positions of finished games: what an evaluation is fitted to.
//!
//! A static evaluation is asked where nothing hangs, so it learns from such positions only. A [`FinishedGame`] is what
//! is known of a game; the [`QuietCollector`] plays it over, holds every position against the sieves of a
//! [`QuietRecipe`], and draws a few of those that pass, each a [`QuietPosition`]. The [`QuietTally`] counts what each
//! [`QuietSieve`] kept back. [`Scorers`] are engines that give the positions other scores than those of the games.

mod collector;
mod finished_game;
mod position;
mod recipe;
mod scorers;
mod tally;

pub use collector::QuietCollector;
pub use finished_game::{FinishedGame, GameOutcome, ScoredMove};
pub use position::QuietPosition;
pub use recipe::QuietRecipe;
pub use scorers::Scorers;
pub use tally::{QuietSieve, QuietTally};
