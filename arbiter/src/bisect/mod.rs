//! `arbiter bisect`: which commit broke it?

mod bisect_state;
mod bisection;
mod command;
mod criterion;
mod search;

pub use bisect_state::BisectState;
pub use command::BisectArgs;
pub use search::search;
