//! `arbiter extract`: quiet positions of games with their results, for tuning an evaluation.

mod collector;
mod command;
mod finished_game;
mod quiet_position;
mod scorers;
mod tally;

pub use command::ExtractArgs;
pub use finished_game::{FinishedGame, GameOutcome, ScoredMove};
