//! French notation and saved games, as in M. Druelle's document, for `arbiter play` and the engine druelle.

pub mod french;
mod saved_game;

pub use saved_game::{SavedGame, SavedGameError};
