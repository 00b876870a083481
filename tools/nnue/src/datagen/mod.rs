//! `nnue datagen`: games of the engine against itself.
//!
//! A game depends only on the [`Settings`] and its number: the number chooses the opening ([`Player`]), and TT and histories
//! start empty. Threads play different numbers. Games are written in the order of their numbers, without repeated starts. So
//! the file does not depend on the number of threads or on stops.
//!
//! The file may be truncated anywhere. The next start reads its games ([`DataFile::open`]), removes a truncated one, and
//! continues with the next number. Lost are the games in progress, and those that waited for an earlier one.

mod adjudication;
mod command;
mod data_file;
mod generate;
mod header;
mod player;
mod progress;
mod settings;

pub use command::command;
pub use data_file::{Counts, DataFile};
pub use generate::{Target, generate};
pub use header::{EngineStamp, Header};
pub use player::Player;
pub use settings::Settings;
