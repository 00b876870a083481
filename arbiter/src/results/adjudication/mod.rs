//! What rules for draws and resignations cost, counted over games that were played out.

mod adjudication_check;
mod check_report;
mod replay;
mod rule_tally;
pub mod rules;

pub use adjudication_check::AdjudicationCheck;
pub use check_report::{CheckReport, RuleReport, ShareEstimate};
pub use replay::{RuleVerdict, verdicts};
pub use rule_tally::{ChangedResults, RuleTally};
