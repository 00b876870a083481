//! `arbiter history`: how strong were the versions of an engine?

pub mod command;
mod page;
mod plan;
mod versions_text;

pub use command::{HistoryArgs, play};
pub use page::HistoryReport;
pub use plan::HistoryPlan;
