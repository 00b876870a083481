//! `arbiter sprt`: Elo, LOS and LLR from results, and forecasts of an SPRT.

mod command;
mod match_results;
mod results_source;
mod sprt_forecasts;
mod sprt_report;
mod sprt_text;

pub use command::SprtArgs;
pub use match_results::{ExcludedGames, MatchResults};
pub use sprt_forecasts::{ForecastBasis, SprtForecasts};
pub use sprt_report::SprtReport;
pub use sprt_text::SprtText;
