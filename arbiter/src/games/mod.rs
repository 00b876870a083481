//! Finished games from PGN files and run folders, and the commands `mine`, `extract` and `wdl`.

pub mod extract;
pub mod finished_games;
pub mod mine;
pub mod wdl;
