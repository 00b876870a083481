//! Node speed: engines search the same positions in turns, and what each took is compared position by position.
//!
//! A [`SpeedSuite`] is the positions. [`compare`] lets the engines search them, each against the first in the order A B
//! B A, so that whatever makes the machine slower or faster for a while meets both, and starts them anew every few
//! positions, since a process may be faster or slower than another of the same program for as long as it lives. Where
//! the system tells the CPU time, two engines of one thread also search at the same time on the same core, which the
//! system gives to each for some milliseconds at a time: no other way to take turns is as fine. A [`SpeedSample`] is
//! one search, a [`SpeedPair`] all of a position; the [`SpeedReport`] sums up.

mod command;
mod comparison;
pub mod contest;
mod engine_speed;
#[cfg(test)]
mod made_up_searches;
mod pace;
mod report;
pub mod sample;
mod speed_plan;
mod speed_text;
mod suite;

pub use command::SpeedArgs;
pub use comparison::{DepthRace, SpeedComparison, SpeedPair};
pub use contest::compare;
pub use engine_speed::{EngineSpeed, HardwareByNode};
pub use report::SpeedReport;
pub use sample::measure;
pub use sample::{DepthReached, SpeedError, SpeedSample};
pub use speed_plan::{SpeedContest, SpeedPlan};
pub use suite::{SpeedSuite, SpeedSuiteError};
