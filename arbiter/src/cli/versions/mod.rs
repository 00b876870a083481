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

pub use bisect_state::{BisectState, TestedCommit};
pub use bisection::{Bisection, Step, Verdict};
pub use criterion::{Criterion, MatchCriterion, PerftCriterion, SolvingCriterion, SpeedCriterion, Yardstick};
pub use history_plan::{Encounter, HistoryPlan, PlanShape, SkippedVersion};
pub use search::search;
