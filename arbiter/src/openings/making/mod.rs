//! Making books: openings from guided random play or from games, each evaluated by an engine.
//!
//! [`OpeningSource`] gives the line of an attempt, [`OpeningEvaluator`] asks the engine for its eval, and
//! [`make_openings`] runs attempts on several engines and keeps, in the order of the attempts, each new opening whose
//! eval is in range. An attempt depends on the recipe and its number only: each search starts a new game, is limited
//! in nodes, and has random numbers of its own. So the book is the same for any number of engines.

mod evaluator;
mod maker;

pub use evaluator::{OpeningEvaluator, WorkEnd, in_order};
pub use maker::{
    GameLines, GuidedPlay, MadeOpenings, MakingPlan, OpeningRecipe, OpeningRejection, OpeningSource,
    make_openings,
};
