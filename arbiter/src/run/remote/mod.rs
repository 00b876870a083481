//! `--on`: one run on several machines, reached by ssh, whose shards have a pool through its pipes.

mod baggage;
mod conductor;
mod display;
mod host;

pub use conductor::{MERGED, RemotePlan, play, resume};
pub use host::Host;
