//! French notation and saved games, as in M. Druelle's document: his engine writes them, `arbiter play` reads
//! them.

pub mod french;
mod saved_game;

pub use saved_game::{SavedGame, SavedGameError};
