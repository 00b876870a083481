//! `arbiter control`: controls a running match through a socket or the keyboard.
//!
//! Both take one [`ControlCommand`](runner::ControlCommand) a line; the [`ControlHandler`] executes and answers it. They
//! listen on threads that sleep until a command arrives, so that they do not disturb the games.

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
