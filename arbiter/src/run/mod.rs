//! Runs, from the configuration to the exit code: `match`, `run` and `resume` all end here. Also merges shards into a run.

mod joining;
pub mod ladder;
mod machines;
pub use machines::nodes_of_bench;
mod match_command;
pub mod merge;
pub mod named_folder;
pub mod playing;
pub mod remote;
pub(crate) mod run_file;
pub mod sanitized;
mod series;
pub mod values_test;
pub mod verify;

pub use joining::join;
pub use match_command::MatchArgs;
pub use playing::NestedRun;
pub(crate) use run_file::RunFile;
pub use series::Series;
