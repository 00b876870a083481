//! `arbiter wdl`: fits the chances of win, draw and loss to engines' scores.

mod command;
mod page;
mod report;

pub use command::WdlArgs;
pub use report::WdlReport;
