//! Reads a journal line by line, so that a long run does not have to fit into memory.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{JOURNAL_FILE, JournalError, checksum};
use crate::record::untrusted_files::open_file;
use crate::record::{Event, GameRecord};

/// The longest line that is read, in bytes. A game of some thousand moves has a few million. Without a limit, a compressed
/// journal without line breaks would fill any memory.
const LINE_CAP: u64 = 64 << 20;

/// How much of the file is read at once, in bytes.
const BUFFER: usize = 1 << 17;

/// How a finished game begins in the journals of this version. Such events are most of a journal, and can be parsed three
/// times as fast as an event whose kind may stand anywhere in the line.
const FINISHED_GAME: &[u8] = br#"{"event":"game_finished","#;

/// The events of a journal in order, each a line of `events.jsonl` or `events.jsonl.gz`.
///
/// The beginning of an event without a line break at the end, which a crash or a full disk can leave, is neither an event
/// nor an error; [`torn_line`](Self::torn_line) reports it. Any other line that cannot be read ends the iteration with its
/// number, and so does a line with a wrong checksum. Journals of older versions have no checksums.
///
/// A growing journal is read up to its length when it was opened, so that a reader slower than its writer comes to an end.
pub struct JournalReader<'a> {
    path: PathBuf,
    source: Box<dyn BufRead + Send + 'a>,
    line: Vec<u8>,
    /// The place after the complete lines that were read.
    place: JournalPlace,
    /// Whether the file is compressed. A growing journal never is.
    pub is_packed: bool,
    end: Option<End>,
}

/// A place in a journal, before a line or at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalPlace {
    /// The uncompressed bytes of the lines before it.
    pub bytes: u64,
    /// The number of lines before it.
    pub lines: usize,
    /// The checksum of these bytes.
    pub(super) checksum: u32,
    /// Whether the last line before it has a checksum, so that all later ones must have one.
    pub is_checked: bool,
    /// The number of engines, once the start of the run was read.
    engines: Option<usize>,
}

impl JournalPlace {
    /// The beginning of the journal of a run with this many engines.
    pub fn beginning(engines: usize) -> JournalPlace {
        JournalPlace { engines: Some(engines), ..JournalPlace::default() }
    }
}

/// Why no more lines are read.
#[derive(Clone, Copy, Debug)]
enum End {
    Reached,
    Torn,
    Failed,
}

impl JournalReader<'static> {
    /// Opens the journal of a run folder, compressed or not.
    ///
    /// # Errors
    /// The folder has no journal that can be opened.
    pub fn open(folder: &Path) -> Result<JournalReader<'static>, JournalError> {
        let (path, is_packed) = find(folder);
        let missing = |source| JournalError::missing(folder, &source);
        let file = open_file(&path).map_err(missing)?;
        let length = file.metadata().map_err(missing)?.len();
        let file = BufReader::with_capacity(BUFFER, file.take(length));
        let source: Box<dyn BufRead + Send> = if is_packed {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(JournalReader { is_packed, ..JournalReader::new(&path, source) })
    }

    /// Opens a journal to read on from a place that another reader has reached.
    ///
    /// # Errors
    /// The journal is missing, or what comes before the place cannot be skipped.
    pub fn open_at(folder: &Path, place: JournalPlace) -> Result<JournalReader<'static>, JournalError> {
        let mut reader = JournalReader::open(folder)?;
        let passed = if reader.is_packed {
            io::copy(&mut reader.source.by_ref().take(place.bytes), &mut io::sink()).map(|_| ())
        } else {
            open_file(&reader.path).and_then(|mut file| {
                let length = file.metadata()?.len();
                file.seek(SeekFrom::Start(place.bytes))?;
                reader.source = Box::new(BufReader::new(file.take(length.saturating_sub(place.bytes))));
                Ok(())
            })
        };
        passed.map_err(|error| reader.unreadable(&error))?;
        Ok(JournalReader { place, ..reader })
    }

    /// Whether the journal of a folder begins with the bytes that were read before this place.
    pub fn has(folder: &Path, place: JournalPlace) -> bool {
        let Ok(mut reader) = JournalReader::open(folder) else { return false };
        let (mut checksum, mut left) = (0, place.bytes);
        while let Ok(block @ [_, ..]) = reader.source.fill_buf() {
            let read = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            checksum = checksum::of_more(checksum, &block[..read]);
            left -= read as u64;
            if left == 0 {
                break;
            }
            reader.source.consume(read);
        }
        left == 0 && checksum == place.checksum
    }

    /// Whether a folder has a journal, compressed or not.
    pub fn is_in(folder: &Path) -> bool {
        find(folder).0.is_file()
    }
}

fn find(folder: &Path) -> (PathBuf, bool) {
    let (plain, packed) = (folder.join(JOURNAL_FILE), folder.join(format!("{JOURNAL_FILE}.gz")));
    if !plain.exists() && packed.exists() { (packed, true) } else { (plain, false) }
}

impl<'a> JournalReader<'a> {
    /// Reads from any source; errors name `path`.
    pub(super) fn new(path: &Path, source: Box<dyn BufRead + Send + 'a>) -> JournalReader<'a> {
        JournalReader {
            path: path.to_owned(),
            source,
            line: Vec::new(),
            place: JournalPlace::default(),
            is_packed: false,
            end: None,
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of the next event.
    pub const fn place(&self) -> JournalPlace {
        self.place
    }

    /// The number of the last line, from 1, if it is incomplete; known only when all events were read.
    pub fn torn_line(&self) -> Option<usize> {
        matches!(self.end, Some(End::Torn)).then_some(self.line_number())
    }

    const fn line_number(&self) -> usize {
        self.place.lines + 1
    }

    /// Skips complete lines, whatever they say. Returns the last of them; `None` if there are fewer than `lines`.
    pub fn pass(&mut self, lines: usize) -> Option<&[u8]> {
        for _ in 0..lines {
            self.line.clear();
            let length = self.source.by_ref().take(LINE_CAP).read_until(b'\n', &mut self.line).ok()?;
            if self.line.last() != Some(&b'\n') {
                return None;
            }
            self.pass_line(length);
        }
        Some(&self.line)
    }

    fn pass_line(&mut self, length: usize) {
        self.place.bytes += length as u64;
        self.place.lines += 1;
        self.place.checksum = checksum::of_more(self.place.checksum, &self.line);
    }

    fn read_event(&mut self) -> Result<Result<Event, End>, JournalError> {
        self.line.clear();
        let length = match self.source.by_ref().take(LINE_CAP).read_until(b'\n', &mut self.line) {
            Ok(length) => length,
            Err(error) => return Err(self.unreadable(&error)),
        };
        if length as u64 == LINE_CAP {
            return Err(self.corrupted(&format!("found a line of more than {LINE_CAP} bytes")));
        }
        if length == 0 {
            return Ok(Err(End::Reached));
        }
        if self.line.last() != Some(&b'\n') {
            return if is_torn(&self.line) {
                Ok(Err(End::Torn))
            } else {
                Err(self.corrupted("found neither a line break nor the beginning of an event"))
            };
        }
        match checksum::is_right(self.place.checksum, &self.line) {
            Some(false) => {
                let found = "found another checksum than that of the journal up to here: a line was changed, lost or moved";
                return Err(self.corrupted(found));
            }
            None if self.place.is_checked => return Err(self.corrupted("found one without a checksum")),
            is_right => self.place.is_checked = is_right.is_some(),
        }
        let event = parse(&self.line).or_else(|error| {
            let other = Event::of_other_version(&self.line);
            other.map_err(|newer| self.corrupted(&newer.map_or(error.to_string(), |newer| newer.to_string())))
        })?;
        self.check_engines(&event)?;
        self.pass_line(length);
        Ok(Ok(event))
    }

    /// Checks that the event's engines are engines of the run, on which everything that counts games by engine relies.
    fn check_engines(&mut self, event: &Event) -> Result<(), JournalError> {
        let named = match event {
            Event::RunStarted { .. } if self.place.engines.is_some() => {
                return Err(self.corrupted("found the start of another run"));
            }
            Event::RunStarted { config, .. } => {
                if let Some(problem) = config.problems_of_schedule().first() {
                    return Err(self.corrupted(&format!("found a run that cannot be: {problem}")));
                }
                self.place.engines = Some(config.engines.len());
                return Ok(());
            }
            Event::GameStarted { white, black, .. } => [*white, *black],
            Event::GameFinished(game) => [game.white, game.black],
            Event::EngineWarning { engine, .. } => [*engine; 2],
            _ => return Ok(()),
        };
        match (self.place.engines, named.into_iter().max()) {
            (Some(engines), Some(engine)) if engine >= engines => {
                Err(self
                    .corrupted(&format!("found one of engine {engine}, but the run has {engines} engines")))
            }
            _ => Ok(()),
        }
    }

    fn corrupted(&self, reason: &str) -> JournalError {
        JournalError::corrupted(&self.path, self.line_number(), reason)
    }

    /// An error at the current line if the compressed file is incomplete or invalid, otherwise an error of the file.
    fn unreadable(&self, error: &io::Error) -> JournalError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.corrupted("found the end of the compressed file"),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => self.corrupted(&error.to_string()),
            _ => JournalError::file(&self.path, error),
        }
    }
}

/// Whether bytes without a line break may be left from an event whose writing was interrupted: its beginning, or zeros if
/// the system had reserved the space.
fn is_torn(bytes: &[u8]) -> bool {
    let begins = bytes.iter().zip(br#"{"event":""#).all(|(one, other)| one == other);
    let ends_early =
        || serde_json::from_slice::<IgnoredAny>(bytes).map_or_else(|error| error.is_eof(), |_| true);
    begins && ends_early() || bytes.iter().all(|byte| *byte == 0)
}

fn parse(line: &[u8]) -> serde_json::Result<Event> {
    match str::from_utf8(line) {
        Ok(text) if line.starts_with(FINISHED_GAME) => {
            serde_json::from_str::<Box<GameRecord>>(text).map(Event::GameFinished)
        }
        _ => serde_json::from_slice(line),
    }
}

impl Iterator for JournalReader<'_> {
    type Item = Result<Event, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.end.is_some() {
            return None;
        }
        match self.read_event() {
            Ok(Ok(event)) => Some(Ok(event)),
            Ok(Err(end)) => {
                self.end = Some(end);
                None
            }
            Err(error) => {
                self.end = Some(End::Failed);
                Some(Err(error))
            }
        }
    }
}

impl std::fmt::Debug for JournalReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JournalReader")
            .field("path", &self.path)
            .field("line", &self.line_number())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
