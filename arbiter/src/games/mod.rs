//! Finished games one after the other, for those who look for positions in them.

pub mod finished_games;
pub mod source_games;
