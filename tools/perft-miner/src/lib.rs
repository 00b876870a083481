//! Perft suites of hard cases: what they are, and how they are mined from random play.
//!
//! [`RuleCase`] is the catalogue, [`cases_of`] says which cases a position shows, [`CaseMiner`] plays games until every
//! case has been met often enough, [`cover`] chooses few positions that keep it so, and [`HardSuite`] counts and writes
//! them.

mod case_miner;
mod case_set;
mod castling;
mod classifier;
mod command;
mod cover;
mod en_passant;
mod hard_suite;
mod king_steps;
mod pieces;
mod played_moves;
mod rule_case;
mod scene;
mod start;
#[cfg(test)]
mod tests;

pub use case_miner::{CaseMiner, CaseRecipe, HardPosition};
pub use case_set::CaseSet;
pub use classifier::cases_of;
pub use command::MineArgs;
pub use cover::cover;
pub use hard_suite::{HardSuite, HardSuiteError};
pub use rule_case::{CaseGroup, RuleCase};
pub use scene::Scene;
