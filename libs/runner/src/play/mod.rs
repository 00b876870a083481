//! One game between two engines: the clock, the questions and answers, and how it ends.

mod adjudicator;
mod clock;
mod ending;
mod game;
mod judged_as;
mod move_warnings;
pub(super) mod ponder;
mod tablebase_adjudicator;
mod time_loss_verdict;

pub use adjudicator::Adjudicator;
pub use clock::{Clock, search_order};
pub(super) use ending::Ending;
pub(super) use game::Game;
pub use tablebase_adjudicator::TablebaseAdjudicator;
