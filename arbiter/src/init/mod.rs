//! `arbiter init`: from somebody's repository to a manifest, an `arbiter.toml` and a baseline. The files of the repository
//! suggest builds; the first whose program answers `uci` is taken; what that program can decides the steps.

mod build_guess;
mod command;
mod compiled;
mod files;
mod guesses;
mod interpreted;
mod known_faults;
mod program_search;

pub use command::InitArgs;
