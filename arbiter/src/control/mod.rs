//! Control of a run while it goes on, by a socket and by the keyboard.
//!
//! The language is the same everywhere: a [`ControlCommand`](runner::ControlCommand) a line, and an answer to
//! each, which the [`Desk`] gives. What listens does so on threads of its own that sleep until somebody asks, so that
//! the games do not notice.

mod client;
mod command;
mod desk;
pub mod interrupts;
mod keyboard;
#[cfg(unix)]
mod live_stream;
#[cfg(unix)]
mod socket;

pub use client::{ask, watch};
pub use command::ControlArgs;
pub use desk::Desk;
pub use interrupts::{AtPlay, OrderedRun};
pub use keyboard::listen;
#[cfg(unix)]
pub use socket::ControlSocket;

/// The name of the socket in the folder of a run that is going on.
pub const SOCKET_FILE: &str = "control.sock";

/// What a program writes to the socket to be shown the games; people have `arbiter watch`.
const WATCH: &str = "watch";

/// What an answer begins with when a command was refused.
pub const REFUSAL: &str = "error: ";
