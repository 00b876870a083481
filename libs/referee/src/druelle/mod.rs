//! French notation and saved games, as in M. Druelle's document: his engine writes both, `arbiter play` reads both.

pub mod french;
mod saved_game;

pub use saved_game::{SavedGame, SavedGameError};
