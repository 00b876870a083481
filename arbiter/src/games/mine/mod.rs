//! `arbiter games mine`: makes tactics suites from games.

mod command;
mod game_position;
mod mined_suite;
mod miner;
mod mining_log;
mod only_move;

pub use command::MineArgs;
