//! What draw and resign rules cost, counted over games that were played out.

mod adjudication_check;
pub mod rules;

pub use adjudication_check::{
    AdjudicationCheck, AdjudicationReport, ChangedResults, RuleReport, RuleTally, RuleVerdict, ShareEstimate,
    verdicts,
};
