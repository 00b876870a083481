//! The folder of a run: what is written where, and when.

mod final_epd;
mod games_csv;
mod games_pgn;
mod in_order;
mod move_comment;
pub mod pgn_time_control;
mod report_error;
mod run_folder;

pub use games_pgn::GamesPgn;
pub use report_error::ReportError;
pub use run_folder::{Reporter, RunFolder};
