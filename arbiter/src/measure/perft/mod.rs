//! Perft: tests move generators by counting legal moves.

mod command;
mod divide_command;
mod measurement;
mod move_counter;
mod perft_check;
mod perft_suite;

pub use command::PerftArgs;
pub use measurement::{PerftRecord, PerftSettings, PerftTest, SuiteCounts, WrongCount, judge};
pub use move_counter::{CountError, Divide, EngineCounter, MoveCounter, Oracle, OwnCore, PerftRoot};
pub use perft_check::{PerftCheck, PerftDifference, PerftMismatch, smallest_difference};
pub use perft_suite::{PerftPosition, PerftSuite};
