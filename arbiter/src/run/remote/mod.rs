//! `--on`: one run on several machines, reached by ssh. Their shards share a pool through the pipes of ssh.

mod baggage;
mod conductor;
mod display;
mod equipment;
mod home;
mod host;
mod players;
mod remote_plan;

pub use conductor::{play, resume};
pub use host::Host;
pub use remote_plan::{MERGED, RemotePlan, check_plan};
