//! A run in progress: its display, its control socket, its status, and its games in a browser.

pub mod control;
pub mod progress;
pub mod status;
pub mod status_command;
pub mod watch;
