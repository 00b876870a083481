//! Pause, stop and concurrency of a running match.

mod control_command;
mod run_control;

pub use control_command::ControlCommand;
pub use run_control::{Pace, RunControl, StopLevel};
