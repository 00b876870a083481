//! `arbiter mine`: makes tactics suites from games.

mod command;
mod crew;
mod game_position;
mod mined_epd;
mod mined_position;
mod mined_suite;
mod miner;
mod mining_log;
mod recipe;
mod stake;
mod tally;
mod two_line_search;

pub use command::MineArgs;
pub use game_position::{SourceGame, SourceGameError};
