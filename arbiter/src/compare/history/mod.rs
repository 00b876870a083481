//! `arbiter history`: the strength of an engine's versions over time.

mod command;
mod page;
mod players;

pub use command::{HistoryArgs, HistoryPlan, play};
pub use page::HistoryReport;
