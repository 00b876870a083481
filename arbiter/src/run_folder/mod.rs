//! The folder of a run: what is written where, and when.

mod final_epd;
mod folder;
mod games_csv;
mod games_csv_check;
mod games_pgn;
mod in_order;
mod move_comment;
pub mod pgn_time_control;
mod report_error;
mod reporter;

pub use folder::RunFolder;
pub use games_csv_check::GamesCsvCheck;
pub use report_error::ReportError;
pub use reporter::Reporter;
