//! `arbiter tactics`: engines solve positions with known best moves.

mod command;
pub mod engine_solver;
mod tactics_comparison;
mod tactics_csv;
mod tactics_result;
mod tactics_suite;
mod tactics_text;

pub use command::TacticsArgs;
pub use engine_solver::SolveError;
pub use tactics_comparison::TacticsComparison;
pub use tactics_csv::TacticsCsv;
pub use tactics_result::TacticsResult;
pub use tactics_suite::{Goal, TacticsPosition, TacticsSuite};
