//! A run that is being played, seen and steered: its display, its control socket, its status, and the games in a browser.

pub mod control;
pub mod progress;
pub mod status;
pub mod status_command;
pub mod watch;
