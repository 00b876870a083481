//! `arbiter check`: checks that an engine follows the UCI protocol.

mod command;
pub mod protocol;

pub use command::CheckArgs;
