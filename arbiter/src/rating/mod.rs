//! Interprets results: rating lists, sequential tests, and the cost of tests and of adjudication.

pub mod adjudication_check;
pub mod forecast;
pub mod pgn_results;
pub mod plan;
pub mod rate;
mod rated_games;
pub mod sprt;

pub use rated_games::{RatedGame, RatedGames, RepeatedGames};
