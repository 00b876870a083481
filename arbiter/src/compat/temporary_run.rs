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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::SystemTime;

    use runner::Journal;

    use super::*;

    #[test]
    fn only_old_folders_that_nobody_uses_are_removed() {
        let place = TempDir::new().unwrap();
        let journal_of = |folder: &str, age: Duration| {
            let folder = place.path().join(folder);
            fs::create_dir(&folder).unwrap();
            let journal = Journal::create(&folder.join(JOURNAL_FILE)).unwrap();
            let mut options = File::options();
            options.append(true);
            // FILE_WRITE_ATTRIBUTES alone, which the lock on the journal permits.
            #[cfg(windows)]
            std::os::windows::fs::OpenOptionsExt::access_mode(&mut options, 0x100);
            let file = options.open(folder.join(JOURNAL_FILE)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            journal
        };
        let _played = journal_of("arbiter-passing-played", 2 * SETTLED);
        drop(journal_of("arbiter-passing-young", Duration::ZERO));
        drop(journal_of("arbiter-passing-left", 2 * SETTLED));
        drop(journal_of("arbiter-kept", 2 * SETTLED));
        let made = make(place.path()).unwrap();
        assert!(made.path().exists());
        for (folder, is_there) in
            [("passing-played", true), ("passing-young", true), ("passing-left", false), ("kept", true)]
        {
            assert_eq!(place.path().join(format!("arbiter-{folder}")).exists(), is_there, "{folder}");
        }
    }
}
