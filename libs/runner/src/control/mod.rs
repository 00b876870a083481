//! How a run is paused, stopped, or given another pace while it goes on.

mod control_command;
mod run_control;

pub use control_command::{ControlCommand, ControlCommandError};
pub use run_control::{Pace, RunControl, StopLevel};
