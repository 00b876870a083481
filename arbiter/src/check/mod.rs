//! `arbiter check`: what does an engine do wrong in the protocol?

mod command;
pub mod protocol;
mod protocol_text;

pub use command::CheckArgs;
