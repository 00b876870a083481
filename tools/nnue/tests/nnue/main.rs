//! The format of the games, those taken from runs, the generator that is stopped and goes on, what is counted and exported,
//! how a network is trained, and what the program refuses.

mod counts;
mod formats;
mod imports;
mod made_games;
mod refusals;
mod resumption;
mod training;
