//! `arbiter control`: control of a running match, by a socket and by the keyboard.
//!
//! Both take a [`ControlCommand`](runner::ControlCommand) a line, which the [`ControlHandler`] executes and answers. They
//! listen on threads that sleep until a command comes, so that the games are not disturbed.

mod command;
mod control_handler;
mod keyboard;
pub mod signals;
#[cfg(unix)]
mod socket;

pub use command::{ControlArgs, ask, watch};
pub use control_handler::ControlHandler;
pub use keyboard::listen;
pub use signals::{ControlledRun, CurrentRun};
#[cfg(unix)]
pub use socket::ControlSocket;

/// The name of the socket in the folder of a running match.
pub const SOCKET_FILE: &str = "control.sock";

/// The line that requests the stream of the games; `arbiter watch` sends it.
#[cfg(unix)]
const WATCH: &str = "watch";

/// The prefix of an answer that refuses a command.
pub const REFUSAL: &str = "error: ";
