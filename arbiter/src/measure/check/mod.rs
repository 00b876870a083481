//! `arbiter check`: checks that an engine follows the UCI protocol, or goes by its processor
//! time.

mod clock_check;
mod command;
pub mod protocol;

pub use command::CheckArgs;
