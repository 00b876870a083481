//! Files that one process appends to and others may read meanwhile.
//!
//! Unix uses an advisory lock, which some network file systems do not have. On Windows a lock keeps everybody from reading,
//! and a file opened to append can neither be locked nor truncated, so a writer there shares it only with readers.

#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use super::untrusted_files::no_file;
use super::untrusted_files::refuse_link;

/// The number of attempts to open a file that another process holds; `PAUSE` is the time between them. If a process is killed
/// while it starts an engine, the child holds the lock until it becomes the engine.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// Opens a file to read it and to append to it. A missing file is created; if `is_new`, it must be missing. `None` if another
/// process holds it. Links are not followed, and pipes not waited for.
///
/// # Errors
/// The file cannot be opened or locked, or is not a regular file ([`io::ErrorKind::InvalidInput`]).
pub fn open(path: &Path, is_new: bool) -> io::Result<Option<File>> {
    refuse_link(path)?;
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            thread::sleep(PAUSE);
        }
        // The first attempt may have created the file, so the second one may find it.
        if let Some(mut file) = try_open(path, is_new && attempt == 0)? {
            file.seek(SeekFrom::End(0))?;
            return Ok(Some(file));
        }
    }
    Ok(None)
}

fn options(is_new: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).create(true).create_new(is_new);
    options
}

#[cfg(unix)]
fn try_open(path: &Path, is_new: bool) -> io::Result<Option<File>> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    // With these flags, replacing the file between the check and this call gains nothing.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options(is_new).append(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(no_file("a pipe, a device or a folder"));
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(Some(file)),
    }
}

#[cfg(windows)]
fn try_open(path: &Path, is_new: bool) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;

    use windows_sys::Win32::Foundation::ERROR_SHARING_VIOLATION;
    use windows_sys::Win32::Storage::FileSystem::{FILE_SHARE_DELETE, FILE_SHARE_READ};

    match options(is_new).write(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a process holds a file in this way. A file that cannot be opened counts as not in use.
pub fn is_in_use(path: &Path) -> bool {
    path.is_file()
        && (0..ATTEMPTS).all(|attempt| {
            if attempt > 0 {
                thread::sleep(PAUSE);
            }
            is_taken(path)
        })
}

#[cfg(unix)]
fn is_taken(path: &Path) -> bool {
    // Closing the file releases the lock.
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(windows)]
fn is_taken(path: &Path) -> bool {
    matches!(try_open(path, false), Ok(None))
}
