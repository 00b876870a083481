//! `arbiter status`: the state of a run, running or not.

mod command;
mod run_status;
mod status_text;

pub use command::StatusArgs;
pub use run_status::RunStatus;
pub use status_text::StatusText;
