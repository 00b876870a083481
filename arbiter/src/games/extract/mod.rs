//! `arbiter games extract`: quiet positions of games with their results, for tuning an evaluation.

mod collector;
mod command;

pub use command::ExtractArgs;
