//! The hash table: results of earlier searches (§2.2).
//!
//! The table has 2^N entries. The N low bits of the Zobrist key select an entry, and a new result always replaces the old
//! one. The document stores depth, score and best move. An entry here also says whether the score is exact or a bound:
//! only then does the table, as the document claims, not change the result.

use std::collections::TryReserveError;

use chess::{Move, ZobristKey};

use crate::units::{Depth, Ply, Value, Window};

/// The relation of a stored value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No move was better than this.
    AtMost,
    /// A move was at least this good, and the others were not searched.
    AtLeast,
    Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The value, with mates counted from the root.
    pub value: Value,
    pub bound: Bound,
    pub depth: Depth,
    /// The best move, if one was better than the window's lower end.
    pub best: Option<Move>,
}

impl Knowledge {
    /// Whether the value is the result of a search to `depth` with this window.
    pub fn settles(&self, depth: Depth, window: Window) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= window.beta,
                Bound::AtMost => self.value <= window.alpha,
            }
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: ZobristKey,
    value: i32,
    best: Option<Move>,
    depth: i8,
    bound: Bound,
}

#[derive(Debug)]
pub struct HashTable {
    /// The entries; their number is a power of two.
    entries: Box<[Option<Entry>]>,
}

impl HashTable {
    pub fn new(megabytes: usize) -> Result<HashTable, TryReserveError> {
        let room = (megabytes << 20) / size_of::<Option<Entry>>();
        let count = 1 << room.max(1).ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count)?;
        entries.resize(count, None);
        Ok(HashTable { entries: entries.into_boxed_slice() })
    }

    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    pub fn probe(&self, key: ZobristKey, ply: Ply) -> Option<Knowledge> {
        let entry = self.entries[self.index(key)].filter(|entry| entry.key == key)?;
        Some(Knowledge {
            value: Value::centipawns(entry.value).counted_from_root(ply),
            bound: entry.bound,
            depth: Depth::new(entry.depth.into()),
            best: entry.best,
        })
    }

    pub fn store(&mut self, key: ZobristKey, ply: Ply, found: Knowledge) {
        let Knowledge { value, bound, depth, best } = found;
        let depth = depth.plies().clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        let entry = Entry { key, value: value.counted_from_node(ply).get(), best, depth, bound };
        self.entries[self.index(key)] = Some(entry);
    }

    /// The share of the table in use, in permille, estimated from its first thousand entries.
    pub fn hashfull(&self) -> u32 {
        self.entries.iter().take(1000).filter(|entry| entry.is_some()).count() as u32
    }

    fn index(&self, key: ZobristKey) -> usize {
        key.bits() as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use chess::{Position, Square};

    use super::*;

    fn found(bound: Bound, value: Value) -> Knowledge {
        let best = Some(Move::normal(Square::A1, Square::H8));
        Knowledge { value, bound, depth: Depth::new(3), best }
    }

    #[test]
    fn an_entry_takes_sixteen_bytes_and_their_number_is_a_power_of_two() {
        assert_eq!(size_of::<Option<Entry>>(), 16);
        assert_eq!(HashTable::new(3).unwrap().entries.len(), (2 << 20) / 16);
    }

    #[test]
    fn what_is_stored_is_found_with_its_mates_counted_from_the_reader() {
        let mut table = HashTable::new(1).unwrap();
        let key = Position::start().key();
        assert_eq!(table.probe(key, Ply::ROOT), None);
        let (mated, better) = (|ply| Value::mated_at(Ply::new(ply)), Value::centipawns(31));
        for (value, there) in [(-mated(7), -mated(13)), (mated(7), mated(13)), (better, better)] {
            table.store(key, Ply::new(4), found(Bound::Exact, value));
            assert_eq!(table.probe(key, Ply::new(10)), Some(found(Bound::Exact, there)));
        }
        table.clear();
        assert_eq!(table.probe(key, Ply::ROOT), None);
    }

    #[test]
    fn a_bound_settles_only_the_windows_that_it_misses() {
        let window = Window { alpha: Value::centipawns(0), beta: Value::centipawns(50) };
        let low = found(Bound::AtMost, Value::centipawns(-10));
        assert!(low.settles(Depth::new(3), window));
        assert!(!low.settles(Depth::new(4), window));
        assert!(!Knowledge { bound: Bound::AtLeast, ..low }.settles(Depth::new(3), window));
        assert!(found(Bound::AtLeast, Value::centipawns(50)).settles(Depth::new(2), window));
        assert!(found(Bound::Exact, Value::centipawns(20)).settles(Depth::new(2), window));
    }
}
