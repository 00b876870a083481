//! `--on`: one run on several machines, reached by ssh, whose shards have a pool through its pipes.

mod baggage;
mod conductor;
mod display;
mod home;
mod host;

pub use conductor::{MERGED, RemotePlan, check_plan, play, resume};
pub use host::Host;
