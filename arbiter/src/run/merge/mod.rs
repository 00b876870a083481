//! `arbiter merge DIR… --out DIR`: merges the run folders of shards.

mod command;
mod same_run;
mod shards;

pub use command::MergeArgs;
