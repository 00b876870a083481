//! `--on`: one run on several machines, reached by ssh. Their shards share a pool through the pipes of ssh.

mod baggage;
mod conductor;
mod display;
mod equipment;
mod home;
mod host;
mod players;

pub use conductor::{MERGED, RemotePlan, check_plan, play, resume};
pub use host::Host;
