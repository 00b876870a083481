//! Mining: positions of games in which exactly one move keeps the result, found by an engine that says so at several
//! depths.
//!
//! A [`SourceGame`] gives its positions; [`mine_game`] lets an engine search them with a few nodes, and what seems to
//! have one good move with more and more. A [`MiningRecipe`] says what counts, each [`Rejection`] is a sieve with a
//! reason, and [`MinedGame`] is what is left of a game with how much each sieve kept back. [`mine_all`] does many games
//! at once, and [`MinedSuite`] puts their positions together. With one engine thread and limits in nodes, the same
//! games give the same suite, whatever the concurrency.

mod crew;
mod game_position;
mod mined_position;
mod mined_suite;
mod miner;
mod recipe;
mod stake;
mod tally;
mod two_line_search;

pub use crew::mine_all;
pub use game_position::{GamePosition, SourceGame, SourceGameError};
pub use mined_position::MinedPosition;
pub use mined_suite::MinedSuite;
pub use miner::{MinedGame, MiningError, mine_game};
pub use recipe::{MiningKind, MiningRecipe};
pub use stake::Stake;
pub use tally::{MiningTally, Rejection};
