//! `arbiter bisect`: finds the first bad commit.

mod bisect_run;
mod bisect_state;
mod bisection;
mod command;
mod criterion;

pub use bisect_run::run;
pub use bisect_state::BisectState;
pub use command::BisectArgs;
