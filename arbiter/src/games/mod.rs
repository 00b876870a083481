//! Reads the games of PGN files and run folders, for `arbiter mine` and `arbiter extract`.

pub mod finished_games;
pub mod source_games;
