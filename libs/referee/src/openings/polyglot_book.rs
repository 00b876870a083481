//! The entries of a Polyglot book, as they stand in the file.

use thiserror::Error;

use super::BookError;
use crate::IllegalMove;

/// All entries of a book, sorted by position.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    name: String,
    entries: Vec<PolyglotEntry>,
}

impl PolyglotBook {
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

pub(super) const ENTRY_BYTES: usize = 16;

/// One move that a Polyglot book knows in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PolyglotEntry {
    pub(super) key: u64,
    pub(super) number: u16,
    /// How often the move is to be chosen beside the others; one of weight 0 is never played.
    pub(super) weight: u16,
}

/// What is wrong with an entry of a Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolyglotProblem {
    /// The file breaks off.
    #[error("expected {ENTRY_BYTES} bytes, found {0}")]
    Length(usize),
    /// The keys do not ascend.
    #[error("expected a key of at least that of the entry before, since entries are sorted by position")]
    Order,
    /// The move is not legal where it belongs.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

impl PolyglotEntry {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, PolyglotProblem> {
        let entry: &[u8; ENTRY_BYTES] = bytes.try_into().map_err(|_| PolyglotProblem::Length(bytes.len()))?;
        // Eight bytes, two, two, and four for learning, the highest of each first.
        let whole = u128::from_be_bytes(*entry);
        Ok(Self { key: (whole >> 64) as u64, number: (whole >> 48) as u16, weight: (whole >> 32) as u16 })
    }

    /// The bytes of the entry, those for learning zero.
    pub(super) fn bytes(self) -> [u8; ENTRY_BYTES] {
        let whole =
            u128::from(self.key) << 64 | u128::from(self.number) << 48 | u128::from(self.weight) << 32;
        whole.to_be_bytes()
    }
}
