//! What rules for draws and resignations cost, counted over games that were played out.

mod adjudication_check;
mod adjudication_report;
pub mod rules;

pub use adjudication_check::{AdjudicationCheck, ChangedResults, RuleTally, RuleVerdict, verdicts};
pub use adjudication_report::{AdjudicationReport, RuleReport, ShareEstimate};
