//! The schedule: pairings, their order and openings, and when the run stops.

mod game_queue;
mod pairings;
mod part;
mod questions;
mod resources;
mod schedule;
mod scheduled_openings;
mod stage;
mod validation;

pub(super) use game_queue::{GameQueue, QueuedGame};
pub use pairings::PairingGames;
pub use part::Part;
pub use questions::{
    BestOfSeveral, Knockout, ListRatings, PairingTest, Question, Results, SequentialTests, SprtSummary, Tie,
    Tuning,
};
pub use schedule::Schedule;
pub use scheduled_openings::ScheduledOpenings;
use stage::Stage;
