//! `arbiter rate`: ratings for many players.

mod command;
mod encounter_table;
mod rating_report;
mod rating_text;

pub use command::RateArgs;
pub use encounter_table::EncounterTable;
pub use rating_report::{RatingReport, ReportedPlayer};
