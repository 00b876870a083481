//! The folder of a run: what is written where, and when.

mod games_csv;
mod games_pgn;
mod run_folder;

pub use games_pgn::{GamesPgn, pgn_time_control};
pub use run_folder::{ReportError, Reporter, RunFolder};
