//! What rules for draws and resignations cost, counted over games that were played out.

mod adjudication_check;
mod check_report;
pub mod rules;

pub use adjudication_check::{AdjudicationCheck, RuleVerdict, verdicts};
pub use check_report::{ChangedResults, CheckReport, RuleReport, RuleTally, ShareEstimate};
