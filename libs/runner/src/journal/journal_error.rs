//! Errors of journals, and the names of what a run keeps in its folder.

use std::io;
use std::path::Path;

use thiserror::Error;

/// The name of the journal in the run folder.
pub const JOURNAL_FILE: &str = "events.jsonl";

/// The folder in the run folder for the protocol logs of games that ended with a fault.
pub const BAD_GAMES_FOLDER: &str = "bad";

/// The folder in the run folder for the compressed logs of the games that were to be logged.
pub const GAME_LOGS_FOLDER: &str = "logs";

/// An error of a journal, with the path and the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct JournalError(pub(super) String);

impl JournalError {
    /// The file cannot be opened, read or written.
    pub fn file(path: &Path, source: &io::Error) -> JournalError {
        JournalError(format!("{}: {source}", path.display()))
    }

    /// The first line is not the start of a run.
    pub fn no_start(path: &Path) -> JournalError {
        JournalError(format!("{}, line 1: expected the start of a run", path.display()))
    }

    /// A folder has no journal that can be opened.
    pub(super) fn missing(folder: &Path, source: &io::Error) -> JournalError {
        let (is_file, path) = (folder.is_file(), folder.join(JOURNAL_FILE));
        let folder = folder.display();
        if is_file {
            let way = format!("for a file of games: arbiter report {folder}");
            return JournalError(format!("{folder}: expected a run folder, found a file; {way}"));
        }
        let expected = format!("expected a run folder with a journal, {JOURNAL_FILE}");
        JournalError(format!("{folder}: {expected} ({}: {source})", path.display()))
    }

    /// A line that is no event and is not the last. The file is not changed then.
    pub(super) fn corrupted(path: &Path, line: usize, reason: &str) -> JournalError {
        JournalError(format!("{}, line {line}: expected an event of a run, {reason}", path.display()))
    }
}
