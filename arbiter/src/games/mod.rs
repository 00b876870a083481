//! Finished games: those of PGN files and run folders, and what `mine` and `extract` make of them.

pub mod extract;
pub mod finished_game;
pub mod finished_games;
pub mod mine;
