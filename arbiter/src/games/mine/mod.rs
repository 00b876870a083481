//! `arbiter mine`: makes tactics suites from games.

mod command;
mod game_position;
mod mined_epd;
mod mined_position;
mod mined_suite;
mod miner;
mod mining_log;
mod multipv_search;
mod only_move;
mod recipe;
mod tally;
mod worker_pool;

pub use command::MineArgs;
pub use game_position::{SourceGame, SourceGameError};
