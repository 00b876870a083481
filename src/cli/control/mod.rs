//! Control of a run while it goes on, by a socket and by standard input.
//!
//! The language is the same everywhere: a [`ControlCommand`](crate::runner::ControlCommand) a line, and an answer to
//! each, which the [`Desk`] gives. What listens does so on threads of its own that sleep until somebody asks, so that
//! the games do not notice.

mod client;
mod desk;
#[cfg(unix)]
mod socket;

pub use client::ask;
pub use desk::Desk;
#[cfg(unix)]
pub use socket::ControlSocket;

/// The name of the socket in the folder of a run that is going on.
pub const SOCKET_FILE: &str = "control.sock";

/// What an answer begins with when a command was refused.
pub const REFUSAL: &str = "error: ";
