//! A run as an HTML page.

pub mod facts;
mod game_viewer;
pub mod rating;
pub mod rating_table;
mod run_report;
pub mod sections;
mod shown_run;

pub use game_viewer::GameViewer;
pub use rating_table::{RatingRow, RatingTable};
pub use run_report::RunReport;
pub use shown_run::ShownRun;

/// The drawings of the pieces, to be put into a page as they are: symbols `gv-pawn` to `gv-king` of 45 by 45. Their
/// lines need the classes `gv-line`, `gv-stroke` and `gv-spot`.
pub const PIECE_DRAWINGS: &str = include_str!("game_viewer/pieces.svg");
