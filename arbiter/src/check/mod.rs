//! `arbiter check`: what does an engine do wrong in the protocol?

mod command;
pub mod protocol;

pub use command::CheckArgs;
