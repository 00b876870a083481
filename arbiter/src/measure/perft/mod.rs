//! `arbiter perft`: tests move generators by counting legal moves.

mod command;
mod move_counter;
mod perft_check;
mod perft_csv;
pub mod perft_difference;
mod perft_suite;

pub use command::{PerftArgs, countable, note_skipped};
pub use move_counter::{CountError, EngineCounter, MoveCounter, Oracle, OwnCore};
pub use perft_check::{Divide, PerftCheck, PerftMismatch};
pub use perft_difference::PerftDifference;
pub use perft_suite::{PerftPosition, PerftSuite};
