//! The texts of M. Druelle's document, which his engine writes and `arbiter play` reads: French notation and saved games.

pub mod french;
mod saved_game;

pub use saved_game::{SavedGame, SavedGameError};
