//! `arbiter report`: the results of runs, as an HTML page or in another format.

pub mod bracket_text;
mod command;
pub mod ending;
mod junit;
pub mod markdown;
pub mod page;
mod results_csv;
mod results_json;
mod run_outcome;
pub mod summary_text;
pub mod tests_text;
pub mod verdict;

pub use command::ReportArgs;
pub use run_outcome::{FaultyGame, RunOutcome};
pub use summary_text::SummaryText;
