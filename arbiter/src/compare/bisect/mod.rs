//! `arbiter bisect`: finds the first bad commit.

mod bisection;
mod command;
mod course;
mod criterion;

pub use command::BisectArgs;
pub use course::{BisectState, run};
