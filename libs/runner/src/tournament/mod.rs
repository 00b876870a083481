//! The schedule: pairings, their order and openings, and when the run stops.

mod game_queue;
mod knockout;
mod pairing_tests;
mod schedule;

pub use game_queue::Tuning;
pub(super) use game_queue::{GameQueue, QueuedGame};
pub use knockout::{Knockout, Tie};
pub use pairing_tests::PairingVerdict;
pub(super) use pairing_tests::{PairingTests, StopRule};
pub use schedule::{Pairing, Schedule, ScheduledOpenings};
