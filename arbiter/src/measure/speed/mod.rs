//! Node speed (NPS): engines search the same positions in turns and are compared position by position.
//!
//! A [`SpeedSuite`] has the positions. [`measure`] lets the first engine and each other one search them in the order
//! A B B A, so that a change of the machine's speed affects both. It restarts the engines every few positions, because
//! one process may be faster than another of the same program for its whole life. If the system measures CPU time,
//! two engines with one thread each also search at the same time on one core: the system switches between them every
//! few milliseconds, which no alternation of searches can match. A [`SpeedSample`] is one search, a `SpeedPair` all
//! searches of a position by two engines, the [`SpeedReport`] the whole result.

mod command;
mod comparison;
mod cores;
mod measurement;
mod speed_plan;
mod step;

pub use command::SpeedArgs;
pub use comparison::{SpeedRecord, SpeedReport};
pub use cores::CoresArgs;
pub use measurement::measure;
pub use speed_plan::{SpeedError, SpeedPlan, SpeedSample, SpeedSuite};
pub use step::{SpeedCriterion, SpeedTable};
