//! Finished games: those of PGN files and run folders, and what `mine`, `extract` and `wdl` make of them.

pub mod extract;
pub mod finished_games;
pub mod mine;
pub mod wdl;
