//! `arbiter mine`: makes tactics suites from games.

mod command;
mod game_position;
mod mined_position;
mod miner;
mod mining_log;
mod only_move;
mod recipe;

pub use command::MineArgs;
pub use game_position::{SourceGame, SourceGameError};
