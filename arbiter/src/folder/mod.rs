//! The files of a run's folder.

mod games_csv;
mod games_pgn;
mod report_error;
mod run_folder;

pub use games_pgn::{GamesPgn, pgn_time_control};
pub use report_error::ReportError;
pub use run_folder::RunFolder;
