//! `arbiter games mine`: makes tactics suites from games.

mod command;
mod mined_position;
mod miner;
mod mining_log;
mod only_move;

pub use command::MineArgs;
pub use mined_position::{SourceGame, SourceGameError};
