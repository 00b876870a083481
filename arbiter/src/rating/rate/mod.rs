//! `arbiter rate`: a rating list, as Ordo makes it.

mod command;
mod encounter_table;
mod rating_report;
mod rating_text;

pub use command::RateArgs;
pub use encounter_table::EncounterTable;
pub use rating_report::{RatingReport, ReportedPlayer};
