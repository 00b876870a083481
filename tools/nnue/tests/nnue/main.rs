//! The format of the games, the generator that is stopped and goes on, what is counted and exported, and what the
//! program refuses.

mod counts;
mod formats;
mod made_games;
mod refusals;
mod resumption;
