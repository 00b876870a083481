//! `arbiter status`: how a run stands, whether it is going on or not.

mod command;
mod run_status;
mod status_text;

pub use command::StatusArgs;
pub use run_status::RunStatus;
pub use status_text::StatusText;
