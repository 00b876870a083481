//! Shards of a run that know of each other: each reports its results, and all stop when the test of their sum decides.
//!
//! A decision rests only on what was read from the pool, which includes the shard's own reports. So all shards see the same
//! sequence of counts, if at different times, and the error rates are the same as on one machine. No locks are used,
//! and each shard relies on its own clock only.

mod link;
mod place;
mod report;

pub(crate) use link::{OwnReport, PoolLink};
pub use report::ShardReport;
