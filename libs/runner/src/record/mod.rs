//! What is kept of a run: the games, their moves and how they ended, and the journal that holds them.

mod engine_warning;
mod event;
pub mod foreign_folder;
mod game_record;
mod journal;
mod journal_reader;
pub mod micros;
mod move_record;
mod move_score;
mod run_journal;
mod termination;

pub(super) use engine_warning::GameWarnings;
pub use engine_warning::WarningKind;
pub use event::{Event, FinishReason};
pub use game_record::{GameRecord, OpeningMove, OpeningRecord};
pub use journal::{Journal, JournalError};
pub use journal_reader::{JournalPlace, JournalReader};
pub use move_record::MoveRecord;
pub use move_score::MoveScore;
pub use run_journal::RunJournal;
pub use termination::Termination;
