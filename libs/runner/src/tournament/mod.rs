//! The schedule: pairings, their order and openings, and when the run stops.

mod game_queue;
mod knockout;
mod pairing_tests;
mod schedule;
mod stage;
mod stop_rule;
mod tuning;

pub(super) use game_queue::{GameQueue, QueuedGame};
pub use knockout::{Knockout, Tie};
pub(super) use pairing_tests::PairingTests;
pub use pairing_tests::PairingVerdict;
pub use schedule::{Pairing, Schedule, ScheduledOpenings};
pub(super) use stop_rule::StopRule;
pub use tuning::Tuning;
