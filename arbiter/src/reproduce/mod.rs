//! `arbiter reproduce`: the game that an engine lost by a fault, played again to it alone, and the least that breaks it.
//!
//! A [`Script`](script::Script) is what an engine is sent, line by line. It comes from a run folder, from a log of ours or of
//! another program, or from a file that an earlier [shrinking](least) has made.

mod command;
mod game_script;
mod least;
mod log_reader;
mod replay;
mod script;
mod tries;

pub use command::ReproduceArgs;
