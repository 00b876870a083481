//! `nnue datagen`: games of the engine against itself.
//!
//! A game is a pure function of the [`Settings`] and its number: the number decides the opening ([`Player`]), and
//! table and history are empty when it begins. Threads play games of different numbers; they are written in the order
//! of the numbers, without those whose start has been played already. So the file does not depend on the number of
//! threads, nor on how often the program was stopped.
//!
//! The file may be cut off anywhere. The next start reads its games ([`DataFile::open`]), removes a torn one and goes
//! on with the number that follows. What is lost are the games in play, and those that wait for an earlier one.

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
