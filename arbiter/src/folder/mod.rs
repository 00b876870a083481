//! The folder of a run: what is written where, and when.

mod games_csv;
mod games_pgn;
pub mod pgn_time_control;
mod run_folder;

pub use games_pgn::GamesPgn;
pub use run_folder::{ReportError, Reporter, RunFolder};
