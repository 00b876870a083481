//! `arbiter match`, `run` and `resume`: a run from its arguments or its file to its exit code.

pub mod args;
pub mod books;
mod command;
pub mod machine;
pub mod playing;
mod resume;
mod run_by_file;
pub(crate) mod run_file;
mod series;
pub mod step_summary;

pub use books::{AskedBy, BookRequest, Changed};
pub use command::MatchArgs;
pub use playing::Played;
pub use resume::ResumeArgs;
pub use run_by_file::RunArgs;
pub(crate) use run_file::RunFile;
pub use series::Series;
