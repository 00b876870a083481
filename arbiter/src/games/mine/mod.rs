//! `arbiter games mine`: makes tactics suites from games.

mod command;
mod mined_position;
mod mined_suite;
mod miner;
mod mining_log;
mod mining_recipe;
mod mining_tally;
mod only_move;
mod source_game;

pub use command::MineArgs;
pub use source_game::{SourceGame, SourceGameError};
