//! Files that are there as a whole or as they were, whoever reads them and whenever the power goes.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the name of a file ends with while it is being written.
pub const DRAFT: &str = ".draft";

/// Where a file is written before it takes its name. The name is always the same, so that a process which was killed
/// leaves one draft at most, and the next one overwrites it.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut draft = OsString::from(path);
    draft.push(DRAFT);
    draft.into()
}

/// Writes a file, or replaces it, in one step: under another name, synced, and then renamed.
///
/// # Errors
/// Those of the file system. The file is as it was then.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let draft = draft_of(path);
    let mut file = File::create(&draft)?;
    file.write_all(contents.as_ref()).and_then(|()| file.sync_all())?;
    rename_durably(&draft, path)
}

/// Gives a synced file its name, and syncs the folder, without which a power cut may take the new name back.
///
/// # Errors
/// Those of the file system.
pub fn rename_durably(draft: &Path, path: &Path) -> io::Result<()> {
    fs::rename(draft, path)?;
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Some file systems do not sync folders; the file is written all the same.
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_no_draft_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        write_whole(&path, "one").unwrap();
        fs::write(draft_of(&path), "what a killed process left").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        write_whole(&path, "one").unwrap();
        fs::create_dir(draft_of(&path)).unwrap();
        assert!(write_whole(&path, "two").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    }
}
