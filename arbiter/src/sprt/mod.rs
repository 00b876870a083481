//! `arbiter sprt`: what results say about two engines, and where a sequential test stands.

mod command;
mod match_results;
mod results_source;
mod sprt_outlook;
mod sprt_report;
mod sprt_text;

pub use command::SprtArgs;
pub use match_results::{LeftOut, MatchResults};
pub use sprt_outlook::{OutlookBasis, SprtOutlook};
pub use sprt_report::SprtReport;
