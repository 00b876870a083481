//! `arbiter history`: how strong were the versions of an engine?

mod command;
mod page;
mod players;

pub use command::{HistoryArgs, HistoryPlan, play};
pub use page::HistoryReport;
