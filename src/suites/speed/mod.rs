//! Node speed: engines search the same positions in turns, and what each took is compared position by position.
//!
//! A [`SpeedSuite`] is the positions. [`compare`] lets the engines search them, each against the first in the order
//! A B B A, so that whatever makes the machine slower or faster for a while meets both, and starts them anew every few
//! positions, since a process may be faster or slower than another of the same program for as long as it lives. A
//! [`SpeedSample`] is one search, a [`SpeedPair`] the four of a position; the [`SpeedReport`] sums up.

mod contest;
mod pair;
mod report;
mod sample;
mod sessions;
mod suite;

pub use contest::{SpeedContest, SpeedPlan, compare};
pub use pair::SpeedPair;
pub use report::{DepthRace, EngineSpeed, HardwareByNode, SpeedComparison, SpeedReport};
pub(super) use sample::measure;
pub use sample::{DepthReached, SpeedError, SpeedSample};
pub use suite::{SpeedSuite, SpeedSuiteError};
