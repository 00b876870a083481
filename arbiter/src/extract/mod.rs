//! `arbiter positions`: quiet positions of games, for fitting an evaluation.

mod collector;
mod command;
mod finished_game;
mod position;
mod scorers;
mod tally;

pub use command::PositionsArgs;
pub use finished_game::{FinishedGame, GameOutcome, ScoredMove};
