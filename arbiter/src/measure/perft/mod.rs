//! Perft: tests move generators by counting legal moves.

mod command;
mod divide_command;
mod measurement;
mod move_counter;
mod perft_check;
mod perft_suite;

pub use command::PerftArgs;
pub use measurement::{PerftRecord, PerftSettings, PerftTest, judge};
pub use move_counter::{CountError, EngineCounter, MoveCounter, Oracle, OwnCore};
pub use perft_suite::PerftSuite;
