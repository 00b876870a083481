//! Writes files in one step: a reader, or a restart after a power cut, finds either the old file or the whole new one.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

pub use runner::untrusted_files::DRAFT;
use runner::untrusted_files::{create_draft, though_looked_at};

/// Removes drafts of this file whose processes were killed; a live process may still be writing its draft.
pub fn forget_drafts(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let start = name.to_string_lossy() + ".";
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let found = entry.file_name();
        let found = found.to_string_lossy();
        let process =
            found.strip_prefix(&*start).and_then(|rest| rest.strip_suffix(DRAFT)?.split('-').next());
        if process.and_then(|process| process.parse().ok()).is_some_and(is_gone) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_gone(process: u32) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, test_kill_process};
        let process = i32::try_from(process).ok().and_then(Pid::from_raw);
        process.is_some_and(|process| test_kill_process(process) == Err(rustix::io::Errno::SRCH))
    }
    #[cfg(windows)]
    runner::process::is_gone(process)
}

/// Writes or replaces a file in one step: under another name, synced, and then renamed. A symbolic link at `path` is
/// replaced, not followed.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    forget_drafts(path);
    let (mut file, draft) = create_draft(path)?;
    let written = file.write_all(contents.as_ref()).and_then(|()| file.sync_all());
    written.and_then(|()| rename_durably(&draft, path)).inspect_err(|_| {
        let _ = fs::remove_file(&draft);
    })
}

/// Renames a synced file and syncs its folder; otherwise a power cut may undo the renaming.
pub fn rename_durably(draft: &Path, path: &Path) -> io::Result<()> {
    though_looked_at(|| fs::rename(draft, path))?;
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Some file systems cannot sync folders; the file is still written.
        let _ = fs::File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Writes to a path that the user named. A file, also at the end of a symbolic link, is replaced in one step and the link
/// stays; a pipe or a device gets the bytes.
pub fn write_named(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    match path.canonicalize() {
        Ok(target) if target.is_file() && !is_device(path) => write_whole(&target, contents),
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
            write_whole(path, contents)
        }
        _ => fs::write(path, contents),
    }
}

/// Whether the path is in `/dev`, such as `/dev/stdout`, even if that is connected to a file.
pub fn is_device(path: &Path) -> bool {
    path.starts_with("/dev")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_no_draft_is_left_even_if_it_cannot_take_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        let taken = folder.path().join("b.toml");
        fs::create_dir_all(taken.join("not empty")).unwrap();
        assert!(write_whole(&taken, "two").is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn only_drafts_of_processes_that_are_gone_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        // No process has the highest number; the other draft has the number of the test's process.
        let (_, own) = create_draft(&path).unwrap();
        fs::write(folder.path().join(format!("a.toml.{}-0.draft", i32::MAX)), "half").unwrap();
        forget_drafts(&path);
        let left: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, [own]);
    }
}
