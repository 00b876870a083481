//! The schedule: pairings, their order and openings, and when the run stops.

mod batches;
mod game_queue;
mod knockout;
mod pairings;
mod part;
mod schedule;

pub use game_queue::Tuning;
pub(super) use game_queue::{GameQueue, QueuedGame};
pub use knockout::{Knockout, Tie};
pub use pairings::{PairingGames, SprtSummary};
pub use part::Part;
pub use schedule::{Pairing, Schedule, ScheduledOpenings};
