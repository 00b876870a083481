//! The games of a run while they are played, for whoever watches.
//!
//! A game hands a [`LivePosition`] to the [`LiveFeed`] with every move, but only while somebody watches; otherwise a
//! move costs one look at a counter. Watching never holds a game up: who is too slow misses positions. Nothing of this
//! is recorded; the journal has the moves when the game is over.

mod live_feed;
mod live_position;

pub use live_feed::{LiveEntrance, LiveFeed, LiveWatch};
pub use live_position::{LivePosition, LiveSide};
