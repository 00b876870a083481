//! Tactics: engines solve positions with known best moves.

mod command;
mod mate_audit;
mod measurement;
mod solver;
mod step;
mod tactics_suite;

pub use command::{TacticsArgs, TacticsRow};
pub use measurement::{Solved, TacticsRecord, TacticsSettings, TacticsTest};
pub use tactics_suite::{Goal, TacticsSuite};
