//! `arbiter bisect`: finds the first bad commit.

mod bisection;
mod command;
mod criterion;

pub use bisection::{BisectState, run};
pub use command::BisectArgs;
