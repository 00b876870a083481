//! `arbiter tactics`: engines solve positions with known best moves.

mod command;
pub mod engine_solver;
mod tactics_result;
mod tactics_suite;
mod tactics_text;

pub use command::TacticsArgs;
pub use engine_solver::SolveError;
pub use tactics_result::{TacticsComparison, TacticsResult};
pub use tactics_suite::{Goal, TacticsPosition, TacticsSuite};
pub use tactics_text::TacticsCsv;
