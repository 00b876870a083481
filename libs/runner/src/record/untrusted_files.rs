//! Files of a folder from an untrusted source, with links, pipes and devices where files are expected.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{process, thread};

/// Opens a file to read it. A link to a file is followed; a folder is refused, and so is a pipe or a device, which may have
/// no end.
///
/// # Errors
/// The file cannot be opened, or the path is not a file ([`ErrorKind::InvalidInput`]).
pub fn open_file(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(no_file("a pipe, a device or a folder"))
    }
}

/// Reads a text file that [`open_file`] accepts.
///
/// # Errors
/// The errors of [`open_file`], or the text is not valid UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_file(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The lines of a stream that may have no end, without their line breaks; only the first `most` bytes of a line are kept. An
/// error of the stream ends it.
pub fn bounded_lines(source: impl Read, most: usize) -> impl Iterator<Item = String> {
    let mut source = BufReader::new(source);
    iter::from_fn(move || {
        let mut line = Vec::new();
        loop {
            let block = match source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                block => block.ok()?,
            };
            let end = block.iter().position(|byte| *byte == b'\n');
            let part = &block[..end.unwrap_or(block.len())];
            line.extend_from_slice(&part[..part.len().min(most - line.len())]);
            let (read, is_over) = (end.map_or(block.len(), |end| end + 1), block.is_empty());
            source.consume(read);
            if end.is_some() || is_over {
                let text = String::from_utf8_lossy(&line).into_owned();
                return (end.is_some() || !text.is_empty()).then_some(text);
            }
        }
    })
}

/// Refuses a link, which may lead to a file that has nothing to do with the folder. A missing file is accepted.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] for a link.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(no_file("a link")),
        _ => Ok(()),
    }
}

/// Refuses a path below `root` if a folder on the way is a link, which may lead out of `root`.
///
/// # Errors
/// The errors of [`refuse_link`], with the name of the link.
pub fn refuse_links_below(root: &Path, place: &Path) -> io::Result<()> {
    let folders = place.ancestors().skip(1).take_while(|folder| *folder != root);
    folders.filter(|folder| !folder.as_os_str().is_empty()).try_for_each(|folder| {
        refuse_link(folder)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
    })
}

/// The extension of a file that is being written.
pub const DRAFT: &str = ".draft";

/// Creates an empty file beside another one, to be written and then renamed. Its name is unpredictable, such as
/// `report.html.4711-9f86d081884c7d65.draft`, where the first number is the process id; an existing file is never opened.
///
/// # Errors
/// The file system's errors.
pub fn create_draft(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut draft = OsString::from(path);
    draft.push(format!(".{}-{:016x}{DRAFT}", process::id(), RandomState::new().hash_one(path)));
    let draft = PathBuf::from(draft);
    Ok((OpenOptions::new().write(true).create_new(true).open(&draft)?, draft))
}

/// Creates an empty file. A link with this name, or a file that may have other names, is removed and not written to.
///
/// # Errors
/// The file system's errors.
pub fn create_anew(path: &Path) -> io::Result<File> {
    though_looked_at(|| match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => OpenOptions::new().write(true).create_new(true).open(path),
    })
}

/// Removes or replaces a file. Windows refuses this while another process has the file open, such as a virus scanner, so on
/// Windows it is tried for a second.
///
/// # Errors
/// The error of the last attempt.
pub fn though_looked_at<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let most = if cfg!(windows) { 100 } else { 1 };
    for _ in 1..most {
        match attempt() {
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::AlreadyExists) => {
                thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
    attempt()
}

pub(super) fn no_file(found: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("expected a file, found {found}"))
}
