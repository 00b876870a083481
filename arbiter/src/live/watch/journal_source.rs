//! The journal of a run that may be in progress.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use runner::{Event, GameRecord, JournalError, JournalPlace, JournalReader};

#[derive(Debug)]
pub struct JournalSource {
    folder: PathBuf,
    path: PathBuf,
    is_packed: bool,
    place: JournalPlace,
}

impl JournalSource {
    pub fn open(folder: &Path) -> Result<JournalSource, JournalError> {
        let journal = JournalReader::open(folder)?;
        let (path, is_packed, place) = (journal.path().to_owned(), journal.is_packed, journal.place());
        Ok(JournalSource { folder: folder.to_owned(), path, is_packed, place })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the new events since the last call, each with its place, until there are no more or `visit` breaks. An
    /// incomplete last line is left for the next call. A compressed journal does not grow, so it is read only once.
    pub fn read_new(
        &mut self,
        mut visit: impl FnMut(Event, JournalPlace) -> ControlFlow<()>,
    ) -> Result<(), JournalError> {
        if self.is_packed && self.place != JournalPlace::default() {
            return Ok(());
        }
        let mut journal = JournalReader::open_at(&self.folder, self.place)?;
        while let Some(event) = journal.next().transpose()? {
            let visited = visit(event, self.place);
            self.place = journal.place();
            if visited.is_break() {
                break;
            }
        }
        Ok(())
    }
}

pub fn read_game(folder: &Path, game: u32, place: JournalPlace) -> Result<GameRecord> {
    let mut journal = JournalReader::open_at(folder, place)?;
    match journal.next().transpose()? {
        Some(Event::GameFinished(record)) if record.game == game => Ok(*record),
        _ => bail!(
            "{}: expected game {} at its old place; the journal was changed, restart `arbiter watch`",
            journal.path().display(),
            game + 1
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use jiff::Timestamp;
    use runner::JOURNAL_FILE;
    use tempfile::TempDir;

    use super::*;

    fn started(game: u32) -> String {
        let event = Event::GameStarted { game, white: 0, black: 1, at: Timestamp::UNIX_EPOCH };
        serde_json::to_string(&event).unwrap() + "\n"
    }

    fn read_new(source: &mut JournalSource) -> Result<Vec<u32>> {
        let mut games = Vec::new();
        source.read_new(|event, _| {
            if let Event::GameStarted { game, .. } = event {
                games.push(game);
            }
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    #[test]
    fn new_lines_are_read_when_they_are_complete() {
        let place = TempDir::new().unwrap();
        let path = place.path().join(JOURNAL_FILE);
        let write = |text: &str| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let (second_begins, second_ends) = (&started(2)[..20], &started(2)[20..]);
        write(&(started(1) + second_begins));
        let mut source = JournalSource::open(place.path()).unwrap();
        assert_eq!(read_new(&mut source).unwrap(), [1]);
        assert_eq!(read_new(&mut source).unwrap(), [0; 0]);
        write(second_ends);
        write(&started(3));
        // What a visitor left is read by the next call.
        let mut visited = 0;
        let first_only = |_, _| {
            visited += 1;
            ControlFlow::Break(())
        };
        source.read_new(first_only).unwrap();
        assert_eq!((visited, read_new(&mut source).unwrap()), (1, vec![3]));
        write("garbage\n");
        assert!(read_new(&mut source).unwrap_err().to_string().contains("line 4"));
    }
}
