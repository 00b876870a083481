//! The append-only file from which a run can be continued, and its readers.

mod checksum;
mod journal_error;
mod journal_reader;
mod run_journal;

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::record::untrusted_files::{open_file, refuse_link};
use crate::record::{Event, exclusive_file};

pub use journal_error::{BAD_GAMES_FOLDER, GAME_LOGS_FOLDER, JOURNAL_FILE, JournalError};
pub use journal_reader::{JournalPlace, JournalReader};
pub use run_journal::RunJournal;

/// `events.jsonl`: one event per line, with a checksum of the file up to that point. An event is written and synced before
/// anything else learns of it.
///
/// While it is open it is locked, so that two processes never play the same run. The end of the process releases the lock.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// `None` if nothing is kept.
    file: Option<File>,
    lines: Vec<u8>,
    /// The checksum of the whole file.
    checksum: u32,
}

impl Journal {
    /// Creates a journal.
    ///
    /// # Errors
    /// The file exists already or cannot be created.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let file = open_alone(path, true)?;
        Ok(Journal { path: path.to_owned(), file: Some(file), lines: Vec::new(), checksum: 0 })
    }

    /// A journal that keeps nothing, for a run whose events stay in memory.
    pub(crate) const fn in_memory() -> Journal {
        Journal { path: PathBuf::new(), file: None, lines: Vec::new(), checksum: 0 }
    }

    /// Opens a journal to continue it, and reads its events. The beginning of an event without a line break, which a crash
    /// can leave at the end, is removed, and nothing else. A missing journal is created.
    ///
    /// # Errors
    /// Any other line cannot be read, another process has the journal open, or it is a link, which is not followed.
    pub fn open_for_resume(path: &Path) -> Result<(Journal, Vec<Event>), JournalError> {
        if path.exists() {
            refuse_link(path).and_then(|()| open_file(path)).map_err(at(path))?;
        }
        let mut file = open_alone(path, false)?;
        file.rewind().map_err(at(path))?;
        let (events, place) = read_events(path, &file)?;
        file.set_len(place.bytes).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        file.sync_all().map_err(at(path))?;
        let (path, checksum) = (path.to_owned(), place.checksum);
        Ok((Journal { path, file: Some(file), lines: Vec::new(), checksum }, events))
    }

    /// Whether a process is playing the run of this journal now. A journal that cannot be read is not in use.
    pub fn is_in_use(path: &Path) -> bool {
        exclusive_file::is_in_use(path)
    }

    /// Reads a journal without changing it; an incomplete last line is left out.
    ///
    /// # Errors
    /// The file or any other line cannot be read.
    pub fn read(path: &Path) -> Result<Vec<Event>, JournalError> {
        let file = open_file(path).map_err(at(path))?;
        Ok(read_events(path, &file)?.0)
    }

    /// Appends events and syncs them to the disk before it returns, unless they only say that games began, that an engine
    /// was warned, or that the machine became noisy or quiet.
    ///
    /// # Errors
    /// The disk does not take them; the earlier events stay readable.
    pub fn append<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) -> Result<(), JournalError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.lines.clear();
        let (mut must_last, mut checksum) = (false, self.checksum);
        for event in events {
            must_last |= !matches!(
                event,
                Event::GameStarted { .. } | Event::EngineWarning { .. } | Event::MachineNoise { .. }
            );
            checksum = add_line(checksum, &mut self.lines, event).map_err(at(&self.path))?;
        }
        file.write_all(&self.lines).map_err(at(&self.path))?;
        self.checksum = checksum;
        if must_last { file.sync_data().map_err(at(&self.path)) } else { Ok(()) }
    }
}

/// The text of a whole journal.
///
/// # Errors
/// An event cannot be serialized.
pub fn journal_text<'a>(events: impl IntoIterator<Item = &'a Event>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    events.into_iter().try_fold(0, |checksum, event| add_line(checksum, &mut text, event))?;
    Ok(text)
}

fn add_line(checksum: u32, lines: &mut Vec<u8>, event: &Event) -> io::Result<u32> {
    let begin = lines.len();
    serde_json::to_writer(&mut *lines, event)?;
    Ok(checksum::close(checksum, lines, begin))
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
    /// Closing the file is not enough if a child that is just being started also holds it.
    fn drop(&mut self) {
        #[cfg(unix)]
        let _ = self.file.as_ref().map(File::unlock);
    }
}

fn read_events(path: &Path, file: &File) -> Result<(Vec<Event>, JournalPlace), JournalError> {
    let mut reader = JournalReader::new(path, Box::new(BufReader::new(file)));
    let events = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((events, reader.place()))
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

    /// If one bit of a journal is changed, only events that were written are read.
    #[test]
    fn no_flipped_bit_passes() {
        let (_folder, path, bytes) = written(3);
        let whole = Journal::read(&path).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).unwrap();
            let error = Journal::open_for_resume(&path).map(|(_, events)| events.len());
            assert!(error.is_err(), "bit {bit} of {}: {error:?} events", whole.len());
            assert_eq!(std::fs::read(&path).unwrap(), flipped, "nothing is removed");
        }
    }

    #[test]
    fn a_journal_without_checksums_is_read_and_gets_them_from_then_on() {
        let (_folder, path, _) = written(0);
        let old: Vec<u8> = (0..3)
            .flat_map(|game| serde_json::to_vec(&event(game)).unwrap().into_iter().chain([b'\n']))
            .collect();
        std::fs::write(&path, &old).unwrap();
        let (mut journal, events) = Journal::open_for_resume(&path).unwrap();
        assert_eq!(events.len(), 3);
        journal.append([&event(3), &event(4)]).unwrap();
        drop(journal);
        assert_eq!(Journal::read(&path).unwrap().len(), 5);
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, changed) in
            [(4, text.replacen("\"game\":1", "\"game\":7", 1)), (5, text.clone() + &text[..old.len() / 3])]
        {
            std::fs::write(&path, &changed).unwrap();
            let error = Journal::read(&path).map(|events| events.len()).unwrap_err().to_string();
            assert!(error.contains("checksum"), "{line}: {error}");
        }
    }

    #[test]
    fn a_last_line_that_is_not_understood_is_an_error_and_stays() {
        let (_folder, path, bytes) = written(2);
        let torn = br#"{"event":"game_started","gam"#;
        let whole: Vec<u8> = [&bytes[..], torn, b"\n"].concat();
        let odd: Vec<u8> = [&bytes[..], b"a word"].concat();
        for wrong in [whole, odd] {
            std::fs::write(&path, &wrong).unwrap();
            let error = Journal::open_for_resume(&path).unwrap_err().to_string();
            assert!(error.contains("line 3: "), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), wrong);
        }
        for rest in [&torn[..], &[0; 40]] {
            std::fs::write(&path, [&bytes[..], rest].concat()).unwrap();
            assert_eq!(Journal::open_for_resume(&path).unwrap().1.len(), 2);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn a_journal_is_open_only_once_at_a_time_and_never_overwritten() {
        let (_folder, path, _) = written(1);
        let (first, _) = Journal::open_for_resume(&path).unwrap();
        let refused = Journal::open_for_resume(&path).unwrap_err().to_string();
        assert!(refused.contains("another arbiter process is playing this run"), "{refused}");
        assert!(Journal::is_in_use(&path));
        assert_eq!(Journal::read(&path).unwrap().len(), 1, "reading is always allowed");
        drop(first);
        assert!(!Journal::is_in_use(&path));
        Journal::open_for_resume(&path).unwrap();
        let (_folder, path, _) = written(1);
        assert!(Journal::create(&path).is_err());
    }
}
