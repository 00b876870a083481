//! `arbiter control`: control of a running match, by a socket and by the keyboard.
//!
//! Both take a [`ControlCommand`](runner::ControlCommand) a line, which the [`ControlHandler`] executes and answers. They
//! listen on threads that sleep until a command comes, so that the games are not disturbed.

mod at_terminal;
mod command;
mod control_handler;
mod socket;

pub use at_terminal::{CurrentRun, listen, watch_series};
pub use command::{ControlArgs, ask, watch};
pub use control_handler::ControlHandler;
pub use socket::ControlSocket;

pub const SOCKET_FILE: &str = "control.sock";

/// The line that requests the stream of the games; `arbiter watch` sends it.
const WATCH: &str = "watch";

pub const REFUSAL: &str = "error: ";
