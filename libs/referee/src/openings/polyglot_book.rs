//! The entries of a Polyglot book, as they stand in the file.

use super::polyglot_entry::{ENTRY_BYTES, PolyglotEntry};
use super::{BookError, PolyglotProblem};

/// All entries of a book, sorted by position.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    name: String,
    entries: Vec<PolyglotEntry>,
}

impl PolyglotBook {
    /// Reads the bytes of a file; `name` is for messages.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Self, BookError> {
        // The book that comes with GNU Chess ends with a line feed.
        let surplus = usize::from(bytes.len() % ENTRY_BYTES == 1 && bytes.ends_with(b"\n"));
        let bytes = &bytes[..bytes.len() - surplus];
        let mut entries: Vec<PolyglotEntry> = Vec::with_capacity(bytes.len() / ENTRY_BYTES);
        for chunk in bytes.chunks(ENTRY_BYTES) {
            let fault =
                |problem| BookError::Polyglot { file: name.to_owned(), entry: entries.len() + 1, problem };
            let entry = PolyglotEntry::read(chunk).map_err(fault)?;
            if entries.last().is_some_and(|last| last.key > entry.key) {
                return Err(fault(PolyglotProblem::Order));
            }
            entries.push(entry);
        }
        Ok(Self { name: name.to_owned(), entries })
    }

    /// What the book is called in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The entries of a position that may be played, each with its number in the file, counted from 1.
    pub(super) fn entries_of(&self, key: u64) -> impl Iterator<Item = (usize, PolyglotEntry)> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let of_position = self.entries[first..].iter().take_while(move |entry| entry.key == key);
        let numbered = of_position.enumerate().map(move |(place, entry)| (first + place + 1, *entry));
        numbered.filter(|(_, entry)| entry.weight > 0)
    }
}
