//! A run as an HTML page.

mod bar_table;
mod game_viewer;
mod rating_table;
mod run_report;
pub mod sections;

pub use bar_table::{BarRow, bar_table};
pub use game_viewer::GameViewer;
pub use rating_table::{RatingRow, RatingTable};
pub use run_report::RunReport;
