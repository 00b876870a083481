//! `arbiter rate`: a rating list, as Ordo makes it.

mod command;
mod rating_report;

pub use command::RateArgs;
pub use rating_report::{RatingReport, ReportedPlayer};
