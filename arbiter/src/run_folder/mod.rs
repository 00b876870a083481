//! The folder of a run: what is written where, and when.

mod final_epd;
mod folder;
mod games_csv;
mod games_pgn;
mod in_order;
mod move_comment;
pub mod pgn_time_control;
mod report_error;

pub use folder::{Reporter, RunFolder};
pub use games_pgn::GamesPgn;
pub use report_error::ReportError;
