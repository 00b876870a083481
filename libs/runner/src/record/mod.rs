//! The records of a run: games, moves, and the journal that holds them.

mod checksum;
pub(crate) mod clock_time;
mod event;
pub mod exclusive_file;
pub mod fingerprint;
mod finish_reason;
mod game_record;
mod journal;
mod journal_error;
mod journal_reader;
mod machine;
pub mod micros;
mod move_comment;
mod pool_events;
mod run_journal;
pub mod untrusted_files;

pub(super) use event::GameWarnings;
pub use event::{Event, WarningKind};
pub use finish_reason::FinishReason;
pub use game_record::{GameRecord, MoveRecord, MoveScore, OpeningMove, OpeningRecord, Pairing};
pub use journal::{Journal, journal_text};
pub use journal_error::{BAD_GAMES_FOLDER, GAME_LOGS_FOLDER, JOURNAL_FILE, JournalError};
pub use journal_reader::{JournalPlace, JournalReader};
pub use machine::{Machine, MachineBench, Machines};
pub use pool_events::{PoolDecision, PoolView};
pub use run_journal::RunJournal;
