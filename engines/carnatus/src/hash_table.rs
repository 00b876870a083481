//! What the search remembers of each position ("L'argent de transposition").

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::position::{Move, Position};

/// The result of a search of one position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// How deep it was searched, in plies; 0 for captures alone. The bounds hold for this depth only.
    pub depth: i32,
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The move that reached the lower bound last.
    pub best: Option<Move>,
}

/// Entries by the whole position, as in the document, so no two positions can be taken for one another. When the table
/// is full, everything is forgotten.
#[derive(Debug)]
pub struct HashTable {
    entries: HashMap<Position, Entry, FxBuildHasher>,
    capacity: usize,
}

impl HashTable {
    /// A table of about this many MiB.
    pub fn new(megabytes: usize) -> HashTable {
        let capacity = (megabytes << 20) / (size_of::<(Position, Entry)>() + 1);
        // The map doubles when it is fuller than seven eighths: asking for all at once spares the pauses in the search.
        HashTable { entries: HashMap::with_capacity_and_hasher(capacity, FxBuildHasher), capacity }
    }

    /// What is known about a position.
    pub fn get(&self, position: &Position) -> Option<Entry> {
        self.entries.get(position).copied()
    }

    /// Keeps the entry in the place of an earlier one.
    pub fn put(&mut self, position: &Position, entry: Entry) {
        if self.entries.len() >= self.capacity {
            self.clear();
        }
        self.entries.insert(position.clone(), entry);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}
