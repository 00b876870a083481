//! A run from its configuration to its exit code: `match`, `run` and `resume` all end here; and shards merged into a run.

mod command;
pub mod merge;
pub mod playing;
pub(crate) mod run_file;
mod series;
pub mod step_summary;

pub use command::MatchArgs;
pub use playing::Played;
pub(crate) use run_file::RunFile;
pub use series::Series;
