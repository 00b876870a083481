//! A run from its configuration to its exit code: `match`, `run` and `resume` all end here; and shards merged into a run.

mod command;
pub mod merge;
pub mod playing;
pub(crate) mod run_file;

pub use command::MatchArgs;
pub use playing::{Played, Series};
pub(crate) use run_file::RunFile;
