//! The transposition table (chapter "Tables de transposition"): results of searched positions, kept between searches.

use super::score::{Score, Window};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    Exact,
    /// The true score is at most this: no move of Max reached alpha, or a move of Min went below it.
    Alpha,
    /// The true score is at least this: no move of Min reached beta, or a move of Max went above it.
    Beta,
}

/// The result of a search of a position (`HashEntry`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashEntry {
    key: u64,
    score: Score,
    depth: u8,
    flag: Flag,
}

/// Entries by the low bits of their keys. A new entry replaces the old one.
#[derive(Debug)]
pub struct HashTable(Vec<Option<HashEntry>>);

impl HashTable {
    pub fn new(megabytes: usize) -> Result<HashTable, std::collections::TryReserveError> {
        let entries = (megabytes << 20) / size_of::<Option<HashEntry>>();
        let entries = 1 << entries.max(1).ilog2();
        let mut table = Vec::new();
        table.try_reserve_exact(entries)?;
        table.resize(entries, None);
        Ok(HashTable(table))
    }

    pub fn clear(&mut self) {
        self.0.fill(None);
    }

    /// The score of a position, if it was searched to at least `depth` and its bound decides in `window`.
    pub fn score(&self, key: u64, depth: u32, window: Window) -> Option<Score> {
        let entry = self.0[self.index(key)].filter(|entry| entry.key == key)?;
        let settles = match entry.flag {
            Flag::Exact => true,
            Flag::Alpha => entry.score <= window.alpha,
            Flag::Beta => entry.score >= window.beta,
        };
        (u32::from(entry.depth) >= depth && settles).then_some(entry.score)
    }

    pub fn store(&mut self, key: u64, depth: u32, window: Window, score: Score) {
        let flag = if score <= window.alpha {
            Flag::Alpha
        } else if score >= window.beta {
            Flag::Beta
        } else {
            Flag::Exact
        };
        let index = self.index(key);
        self.0[index] = Some(HashEntry { key, score, depth: depth as u8, flag });
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.0.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { alpha: -50, beta: 50 };

    fn stored(score: Score) -> HashTable {
        let mut table = HashTable::new(1).unwrap();
        table.store(7, 4, WINDOW, score);
        table
    }

    #[test]
    fn a_score_serves_where_it_is_deep_enough_and_settles_the_matter() {
        let table = stored(10);
        assert_eq!(table.score(7, 4, WINDOW), Some(10));
        assert_eq!(table.score(7, 3, WINDOW), Some(10));
        assert_eq!(table.score(7, 5, WINDOW), None);
        assert_eq!(table.score(8, 1, WINDOW), None);
        let low = stored(-80);
        assert_eq!(low.score(7, 4, Window { alpha: -80, beta: 0 }), Some(-80));
        assert_eq!(low.score(7, 4, Window { alpha: -90, beta: 0 }), None);
        let high = stored(80);
        assert_eq!(high.score(7, 4, Window { alpha: 0, beta: 80 }), Some(80));
        assert_eq!(high.score(7, 4, Window { alpha: 0, beta: 90 }), None);
        let mut table = stored(10);
        table.clear();
        assert_eq!(table.score(7, 0, WINDOW), None);
    }
}
