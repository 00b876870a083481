//! `arbiter sprt`: Elo, LOS and LLR from results, and forecasts of an SPRT.

mod command;
mod results_source;
mod sprt_report;

pub use command::SprtArgs;
pub use sprt_report::{MatchResults, SprtReport, UncountedGames};
