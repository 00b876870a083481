//! Suites: positions with known answers, and the engines and move generators that are held against them.
//!
//! Perft counts legal moves: [`PerftSuite`] is the data, a [`MoveCounter`] is whoever counts, and
//! [`smallest_difference`] finds the position where two counters part.

mod move_counter;
mod perft_difference;
mod perft_suite;

pub use move_counter::{CountError, MoveCounter, Oracle, OwnCore};
pub use perft_difference::{PerftDifference, smallest_difference};
pub use perft_suite::{PerftPosition, PerftSuite, PerftSuiteError};
