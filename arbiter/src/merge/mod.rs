//! `arbiter merge DIR… --out DIR`: one run folder of the folders of its shards.

mod command;
mod same_run;
mod shards;

pub use command::MergeArgs;
