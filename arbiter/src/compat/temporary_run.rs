//! The temporary folder of a run that is not kept.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::Path;
use std::time::Duration;

use runner::{JOURNAL_FILE, exclusive_file};
use tempfile::TempDir;

/// The prefix of the names of temporary folders; people's own folders do not have it.
const PREFIX: &str = "arbiter-passing-";

/// A journal older than this is locked if its run is still being played.
const SETTLED: Duration = Duration::from_mins(10);

/// Creates a folder that is removed with the value. First removes the folders of processes that were killed.
pub(super) fn make(place: &Path) -> io::Result<TempDir> {
    for folder in fs::read_dir(place).into_iter().flatten().flatten().filter(is_left_behind) {
        // The folder may be somebody else's, or another process may be removing it.
        let _ = fs::remove_dir_all(folder.path());
    }
    TempDir::with_prefix_in(PREFIX, place)
}

fn is_left_behind(folder: &DirEntry) -> bool {
    let journal = folder.path().join(JOURNAL_FILE);
    let is_settled = |facts: Metadata| {
        let age = facts.modified().ok().and_then(|written| written.elapsed().ok());
        facts.is_file() && age.is_some_and(|age| age > SETTLED)
    };
    folder.file_name().to_string_lossy().starts_with(PREFIX)
        && folder.file_type().is_ok_and(|kind| kind.is_dir())
        && fs::symlink_metadata(&journal).is_ok_and(is_settled)
        && !exclusive_file::is_in_use(&journal)
}
