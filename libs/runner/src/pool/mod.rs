//! Shards of a run that know of each other: each tells what it has come to, and all stop at the verdict of the test of all.
//!
//! A decision rests on what was read from the place of the pool alone, a shard's own part included. So all shards look at
//! the same sequence of counts, if at different times, and the errors of the test are those of one machine. Nothing is
//! locked, and no clock is trusted but one's own.

mod link;
mod place;
mod report;

pub(crate) use link::{OwnReport, PoolLink};
pub use report::{PoolDecision, PoolView, ShardReport};
