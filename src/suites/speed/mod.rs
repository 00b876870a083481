//! Node speed: engines search the same positions in turns, and what each took is compared position by position.
//!
//! A [`SpeedSuite`] is the positions. [`compare`] lets the engines search them, each against the first in the order
//! A B B A, so that whatever makes the machine slower or faster for a while meets both. A [`SpeedSample`] is one
//! search; the [`SpeedReport`] sums up.

mod contest;
mod report;
mod sample;
mod suite;

pub use contest::{SpeedContest, SpeedPlan, compare};
pub use report::{EngineSpeed, SpeedComparison, SpeedReport};
pub(super) use sample::measure;
pub use sample::{SpeedError, SpeedSample};
pub use suite::{SpeedSuite, SpeedSuiteError};
