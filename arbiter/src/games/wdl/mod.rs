//! The chances of win, draw and loss by the scores of engines, fitted to their games.

mod command;
mod page;
mod report;

pub use command::WdlArgs;
pub use report::WdlReport;
