//! `arbiter init`: writes a manifest, an `arbiter.toml` and a baseline for somebody's repository. The files of the
//! repository suggest builds. The first program that answers `uci` is the engine, and its features decide the steps.

mod build_guess;
mod command;
mod compiled;
mod files;
mod guesses;
mod interpreted;
mod program_search;

pub use command::InitArgs;
