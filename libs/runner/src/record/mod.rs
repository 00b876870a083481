//! The records of a run: games, moves, terminations, and the journal that holds them.

mod checksum;
pub(crate) mod clock_time;
mod event;
pub mod exclusive_file;
pub mod fingerprint;
mod game_record;
mod journal;
mod journal_reader;
mod machine;
pub mod micros;
mod move_comment;
mod run_journal;
mod termination;
pub mod untrusted_files;

pub(super) use event::GameWarnings;
pub use event::{Event, FinishReason, WarningKind};
pub use game_record::{GameRecord, MoveRecord, MoveScore, OpeningMove, OpeningRecord};
pub use journal::{Journal, JournalError, journal_text};
pub use journal_reader::{JournalPlace, JournalReader};
pub use machine::{Machine, MachineBench, Machines};
pub use run_journal::RunJournal;
pub use termination::Termination;
