//! `arbiter games extract`: quiet positions of games with their results, for tuning an evaluation.

mod collector;
mod command;

pub use collector::{FinishedGame, GameOutcome, ScoredMove};
pub use command::ExtractArgs;
