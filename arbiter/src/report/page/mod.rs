//! A run as an HTML page.

mod game_viewer;
pub mod rating;
mod run_report;
pub mod sections;

pub use game_viewer::GameViewer;
pub use rating::{RatingRow, RatingTable};
pub use run_report::{RunReport, ShownRun};
