//! Perft: tests move generators by counting legal moves.

mod command;
mod divide_command;
mod engine_counter;
mod measurement;
mod move_counter;
mod perft_answer;
mod perft_check;
mod perft_suite;
mod step;

pub use command::PerftArgs;
pub use engine_counter::EngineCounter;
pub use measurement::{PerftRecord, PerftSettings, PerftTest, judge};
pub use move_counter::{CountError, MoveCounter, Oracle, OwnCore};
pub use perft_suite::PerftSuite;
