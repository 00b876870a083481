//! The records of a run: games, moves, events, and the texts and files that they need.

pub(crate) mod clock_time;
mod event;
pub mod exclusive_file;
pub mod fingerprint;
mod finish_reason;
mod game_record;
mod machine;
pub mod micros;
mod move_comment;
mod pool_events;
pub mod untrusted_files;

pub(super) use event::GameWarnings;
pub use event::{Event, WarningKind};
pub use finish_reason::FinishReason;
pub use game_record::{GameRecord, MoveRecord, MoveScore, OpeningMove, OpeningRecord, Pairing};
pub use machine::{Machine, MachineBench, Machines};
pub use pool_events::{PoolDecision, PoolView};
