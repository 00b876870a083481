//! The journal of a run, read on as it grows.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use runner::{Event, GameRecord, JOURNAL_FILE, JournalReader};

/// The journal in a run folder.
#[derive(Debug)]
pub struct JournalSource {
    folder: PathBuf,
    path: PathBuf,
    /// Bytes that were read, in whole lines; none for a compressed journal.
    offset: Option<u64>,
    /// The number of lines that were read.
    lines: usize,
}

/// Where a game stands in a journal; none is known in a compressed one.
pub type Place = Option<u64>;

impl JournalSource {
    /// Finds the journal, compressed or not.
    ///
    /// # Errors
    /// There is none.
    pub fn open(folder: &Path) -> Result<JournalSource> {
        let (plain, packed) = (folder.join(JOURNAL_FILE), folder.join(format!("{JOURNAL_FILE}.gz")));
        let folder = folder.to_owned();
        if plain.is_file() {
            return Ok(JournalSource { folder, path: plain, offset: Some(0), lines: 0 });
        }
        if packed.is_file() {
            return Ok(JournalSource { folder, path: packed, offset: None, lines: 0 });
        }
        bail!("{}: expected a run folder with a journal, {JOURNAL_FILE}", folder.display())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what has come since the last time. A last line that is not whole yet is left for the next time.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is no event.
    pub fn read_on(&mut self, mut visit: impl FnMut(Event, Place)) -> Result<()> {
        let Some(mut offset) = self.offset else { return self.read_packed(visit) };
        let mut file = File::open(&self.path).with_context(|| self.path.display().to_string())?;
        file.seek(SeekFrom::Start(offset)).with_context(|| self.path.display().to_string())?;
        let mut source = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length =
                source.read_until(b'\n', &mut line).with_context(|| self.path.display().to_string())?;
            if line.last() != Some(&b'\n') {
                return Ok(());
            }
            match serde_json::from_slice(&line) {
                Ok(event) => visit(event, Some(offset)),
                // A crash may have left it so.
                Err(_) if matches!(source.fill_buf(), Ok([])) => return Ok(()),
                Err(error) => {
                    return Err(anyhow!("{}, line {}: {error}", self.path.display(), self.lines + 1));
                }
            }
            offset += length as u64;
            self.offset = Some(offset);
            self.lines += 1;
        }
    }

    /// A compressed journal does not grow, so that it is read once.
    fn read_packed(&mut self, mut visit: impl FnMut(Event, Place)) -> Result<()> {
        if self.lines > 0 {
            return Ok(());
        }
        for event in JournalReader::open(&self.folder)? {
            visit(event?, None);
            self.lines += 1;
        }
        Ok(())
    }
}

/// Finds a game again.
///
/// # Errors
/// It is not there any more.
pub fn read_game(folder: &Path, game: u32, place: Place) -> Result<GameRecord> {
    let Some(offset) = place else { return search_game(folder, game) };
    let path = folder.join(JOURNAL_FILE);
    let read = || {
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut line = Vec::new();
        BufReader::new(file).take(LONGEST_RECORD).read_until(b'\n', &mut line)?;
        Ok::<_, std::io::Error>(line)
    };
    let line = read().with_context(|| path.display().to_string())?;
    match serde_json::from_slice(&line) {
        Ok(Event::GameFinished(record)) if record.game == game => Ok(*record),
        _ => bail!("{}: game {} is not where it was", path.display(), game + 1),
    }
}

/// More bytes than the record of any game takes.
const LONGEST_RECORD: u64 = 64 * 1024 * 1024;

fn search_game(folder: &Path, game: u32) -> Result<GameRecord> {
    for event in JournalReader::open(folder)? {
        if let Event::GameFinished(record) = event?
            && record.game == game
            && record.is_counted()
        {
            return Ok(*record);
        }
    }
    bail!("{}: no game {}", folder.display(), game + 1)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use jiff::Timestamp;
    use tempfile::TempDir;

    use super::*;

    fn started(game: u32) -> String {
        let event = Event::GameStarted { game, white: 0, black: 1, at: Timestamp::UNIX_EPOCH };
        serde_json::to_string(&event).unwrap() + "\n"
    }

    fn read_on(source: &mut JournalSource) -> Result<Vec<u32>> {
        let mut games = Vec::new();
        source.read_on(|event, _| {
            if let Event::GameStarted { game, .. } = event {
                games.push(game);
            }
        })?;
        Ok(games)
    }

    #[test]
    fn what_is_written_later_is_read_later_and_only_whole_lines() {
        let place = TempDir::new().unwrap();
        let path = place.path().join(JOURNAL_FILE);
        let write = |text: &str| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let (second_begins, second_ends) = (&started(2)[..20], &started(2)[20..]);
        write(&(started(1) + second_begins));
        let mut source = JournalSource::open(place.path()).unwrap();
        assert_eq!(read_on(&mut source).unwrap(), [1]);
        assert_eq!(read_on(&mut source).unwrap(), [0; 0]);
        write(second_ends);
        write(&started(3));
        assert_eq!(read_on(&mut source).unwrap(), [2, 3]);
        write("garbage\n");
        assert_eq!(read_on(&mut source).unwrap(), [0; 0], "it may have been torn by a crash");
        write(&started(4));
        assert!(read_on(&mut source).unwrap_err().to_string().contains("line 4"));
    }

    #[test]
    fn a_folder_without_a_journal_is_refused() {
        let place = TempDir::new().unwrap();
        let refused = JournalSource::open(place.path()).unwrap_err().to_string();
        assert!(refused.contains("expected a run folder with a journal, events.jsonl"), "{refused}");
    }
}
