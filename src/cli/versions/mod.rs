//! The versions of an engine, as the commits of its repository: played against each other, and searched for the one
//! that broke something.
//!
//! [`Bisection`] decides which commit to try next and knows nothing else; a [`Criterion`] says whether a build is good;
//! [`BisectState`] is the file that a search goes on from. [`HistoryPlan`] is the file that says which runs a history
//! consists of.

mod bisect_state;
mod bisection;
mod criterion;
mod history_plan;
mod search;
mod state_file;

pub use bisect_state::{BisectState, TestedCommit};
pub use bisection::{Bisection, Step, Verdict};
pub use criterion::{Criterion, MatchCriterion, PerftCriterion, SolvingCriterion, SpeedCriterion, Yardstick};
pub use history_plan::{Encounter, HistoryPlan, PlanShape, SkippedVersion};
pub use search::search;

use std::path::Path;

use anyhow::Result;

use crate::cli::play;

/// Checks that the folder that the user chose for a state can be made: it does not exist, or has nothing in it but the
/// draft of a state, which is removed.
///
/// # Errors
/// It has something in it, or is no folder.
pub fn check_out(folder: Option<&Path>, state: &str) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    state_file::forget_draft(&folder.join(state));
    play::check_out(folder)
}
