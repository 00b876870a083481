//! `arbiter reproduce`: replays a game lost by a fault to the engine alone, and finds a minimal reproducer.
//!
//! A [`Script`](script::Script) holds what an engine is sent, line by line. It comes from a run folder, from our or
//! another program's log, or from a file written by an earlier [search for the minimum](least).

mod command;
pub mod game_script;
mod least;
mod log_reader;
mod replay;
mod script;
mod tries;

pub use command::ReproduceArgs;
pub use replay::{Manner, replay};
