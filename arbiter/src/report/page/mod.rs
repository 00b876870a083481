//! The HTML report of a run.

mod game_viewer;
mod rating_table;
mod run_report;
pub mod sections;

pub use game_viewer::GameViewer;
pub use rating_table::{BarRow, RatingRow, RatingTable, bar_table};
pub use run_report::RunReport;
