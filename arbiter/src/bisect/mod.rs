//! `arbiter bisect`: finds the first bad commit.

mod bisect_state;
mod bisection;
mod command;
mod criterion;
mod bisect_run;

pub use bisect_state::BisectState;
pub use command::BisectArgs;
pub use bisect_run::run;
