//! Making books: openings of guided random play or from games, each judged by an engine.
//!
//! Attempt by attempt: [`OpeningSource`] says which line an attempt tries, [`OpeningJudge`] asks the engine, and
//! [`make_openings`] lets several engines work on attempts and keeps, in the order of their numbers, what is in the
//! band and new. An attempt is a pure function of the recipe and its number: each search is the first of a new game,
//! limited in nodes, and draws come from a random sequence of its own. So the book is the same for any number of
//! engines.

mod game_lines;
mod guided_play;
mod judge;
mod maker;
mod ordered_work;
mod recipe;

pub use game_lines::GameLines;
pub use guided_play::GuidedPlay;
pub use judge::OpeningJudge;
pub use maker::{MadeOpenings, MakingEnd, MakingPlan, make_openings};
pub use ordered_work::{WorkEnd, in_order};
pub use recipe::{AttemptTally, OpeningRecipe, OpeningSource};
