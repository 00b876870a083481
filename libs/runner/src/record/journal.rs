//! The append-only file that a run can be continued from.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::untrusted_files::{open_file, refuse_link};
use super::{Event, JournalReader, exclusive_file};
use crate::JOURNAL_FILE;

/// `events.jsonl`: one event a line, written and synced before anybody hears of it.
///
/// While it is open it is locked, so that two processes never play the same run; the lock goes with the process,
/// however it ends.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    lines: Vec<u8>,
}

/// A problem of a journal, with its path and its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct JournalError(String);

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
        let (folder, path) = (folder.display(), folder.join(JOURNAL_FILE));
        let expected = format!("expected a run folder with a journal, {JOURNAL_FILE}");
        JournalError(format!("{folder}: {expected} ({}: {source})", path.display()))
    }

    /// A line that is followed by others is no event. Nothing is changed then.
    pub(super) fn corrupted(path: &Path, line: usize, reason: &str) -> JournalError {
        JournalError(format!("{}, line {line}: expected an event of a run, {reason}", path.display()))
    }
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// The file exists already or cannot be made.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let file = open_alone(path, true)?;
        Ok(Journal { path: path.to_owned(), file, lines: Vec::new() })
    }

    /// Opens a journal to go on with it, and reads what it holds. A last line that was cut off, as a crash leaves it,
    /// is removed; so is one that has no line break. A journal that is not there yet is made.
    ///
    /// # Errors
    /// Any other line cannot be read, another process has the journal open, or it is a link, which is not written through.
    pub fn open_for_resume(path: &Path) -> Result<(Journal, Vec<Event>), JournalError> {
        if path.exists() {
            refuse_link(path).and_then(|()| open_file(path)).map_err(at(path))?;
        }
        let mut file = open_alone(path, false)?;
        file.rewind().map_err(at(path))?;
        let (events, whole) = read_events(path, &file)?;
        file.set_len(whole).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        file.sync_all().map_err(at(path))?;
        Ok((Journal { path: path.to_owned(), file, lines: Vec::new() }, events))
    }

    /// Whether a process plays the run of this journal at present. A journal that cannot be read is not in use.
    pub fn is_in_use(path: &Path) -> bool {
        exclusive_file::is_in_use(path)
    }

    /// Reads a journal without changing it; a torn last line is left out.
    ///
    /// # Errors
    /// As [`open_for_resume`](Self::open_for_resume).
    pub fn read(path: &Path) -> Result<Vec<Event>, JournalError> {
        let file = open_file(path).map_err(at(path))?;
        Ok(read_events(path, &file)?.0)
    }

    /// Appends events. They are on the disk when this returns, unless all that happened is that games began, that an
    /// engine was warned, or that the machine became noisy or quiet: that may be lost.
    ///
    /// # Errors
    /// The disk does not take them; what was there before stays readable.
    pub fn append<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) -> Result<(), JournalError> {
        self.lines.clear();
        let mut must_last = false;
        for event in events {
            must_last |= !matches!(
                event,
                Event::GameStarted { .. } | Event::EngineWarning { .. } | Event::MachineNoise { .. }
            );
            serde_json::to_writer(&mut self.lines, event)
                .map_err(|error| at(&self.path)(io::Error::from(error)))?;
            self.lines.push(b'\n');
        }
        self.file.write_all(&self.lines).map_err(at(&self.path))?;
        if must_last { self.file.sync_data().map_err(at(&self.path)) } else { Ok(()) }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |source| JournalError::file(path, &source)
}

fn open_alone(path: &Path, is_new: bool) -> Result<File, JournalError> {
    let file = exclusive_file::open(path, is_new).map_err(at(path))?;
    file.ok_or_else(|| {
        let advice = "another arbiter process is playing this run; wait until it ends, or stop it";
        JournalError(format!("{}: {advice}", path.display()))
    })
}

impl Drop for Journal {
    /// Closing the file is not enough where a child that is just being started has it, too.
    fn drop(&mut self) {
        #[cfg(unix)]
        let _ = self.file.unlock();
    }
}

fn read_events(path: &Path, file: &File) -> Result<(Vec<Event>, u64), JournalError> {
    let mut reader = JournalReader::new(path, Box::new(BufReader::new(file)));
    let events = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((events, reader.place().bytes))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn event(game: u32) -> Event {
        Event::GameStarted { game, white: 0, black: 1, at: Timestamp::UNIX_EPOCH }
    }

    fn written(count: u32) -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let events: Vec<Event> = (0..count).map(event).collect();
        Journal::create(&path).unwrap().append(&events).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    #[test]
    fn a_journal_that_is_cut_at_any_byte_keeps_its_whole_lines_and_takes_more() {
        let (_folder, path, bytes) = written(4);
        for cut in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let whole = bytes[..cut]
                .split_inclusive(|byte| *byte == b'\n')
                .filter(|line| line.ends_with(b"\n"))
                .count();
            let (mut journal, events) = Journal::open_for_resume(&path).unwrap();
            assert_eq!(events.len(), whole, "cut at {cut}");
            journal.append([&event(99)]).unwrap();
            let again = Journal::read(&path).unwrap();
            assert_eq!(again.len(), whole + 1);
            assert_eq!(again.last(), Some(&event(99)));
        }
    }

    #[test]
    fn a_corrupted_middle_is_refused_with_its_line_and_left_alone() {
        let (_folder, path, bytes) = written(4);
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        lines[2] = b"{\"event\":\"game_st\n";
        std::fs::write(&path, lines.concat()).unwrap();
        let error = Journal::open_for_resume(&path).unwrap_err();
        assert!(error.to_string().contains("events.jsonl, line 3: expected an event"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), lines.concat());
    }

    #[test]
    fn a_journal_is_open_only_once_at_a_time() {
        let (_folder, path, _) = written(1);
        let (first, _) = Journal::open_for_resume(&path).unwrap();
        let refused = Journal::open_for_resume(&path).unwrap_err().to_string();
        assert!(refused.contains("another arbiter process is playing this run"), "{refused}");
        assert!(Journal::is_in_use(&path));
        assert_eq!(Journal::read(&path).unwrap().len(), 1, "reading is always allowed");
        drop(first);
        assert!(!Journal::is_in_use(&path));
        Journal::open_for_resume(&path).unwrap();
    }

    #[test]
    fn a_journal_is_never_overwritten() {
        let (_folder, path, _) = written(1);
        assert!(Journal::create(&path).is_err());
    }
}
