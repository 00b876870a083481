//! The hash table of the search: what is known of a position that was reached before (section 2.3).

use super::evaluation::NEAR_MATE;
use super::movement::Move;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

impl Bound {
    /// What the result of a search between `alpha` and `beta` says.
    pub const fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// What a search of a position found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    /// How deep it was searched, in plies.
    pub depth: i32,
    /// The score, for the player whose turn it is.
    pub score: i32,
    /// What the score says.
    pub bound: Bound,
    /// The best move.
    pub best: Option<Move>,
}

impl Entry {
    /// The score, if it was searched deeply enough and says all that a search between `alpha` and `beta` would.
    pub fn answer(&self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        (self.depth >= depth && is_enough).then_some(self.score)
    }
}

/// One entry for each value of the low bits of the key; the latest search of a position stays.
#[derive(Debug)]
pub struct HashTable {
    entries: Vec<Option<Entry>>,
}

impl HashTable {
    /// A table of at most this many MiB, and at least one entry.
    pub fn new(megabytes: usize) -> HashTable {
        let most = (megabytes << 20) / size_of::<Option<Entry>>();
        let length = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        HashTable { entries: vec![None; length.max(1)] }
    }

    /// What is known about the position with this key, `ply` half-moves from the root.
    pub fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        let entry = self.entries[self.index(key)].filter(|entry| entry.key == key)?;
        Some(Entry { score: moved(entry.score, -ply), ..entry })
    }

    /// Keeps what a search found, in the place of what was there.
    pub fn put(&mut self, key: u64, ply: i32, depth: i32, score: i32, bound: Bound, best: Option<Move>) {
        let index = self.index(key);
        self.entries[index] = Some(Entry { key, depth, score: moved(score, ply), bound, best });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    const fn index(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

/// A mate counts from the root, and in the table from the position: the same position can be reached on several plies.
const fn moved(score: i32, plies: i32) -> i32 {
    if score >= NEAR_MATE {
        score + plies
    } else if score <= -NEAR_MATE {
        score - plies
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::MATE;

    #[test]
    fn a_mate_is_as_far_away_as_from_where_it_is_asked_for() {
        let mut table = HashTable::new(1);
        table.put(7, 2, 1, MATE - 5, Bound::Exact, None);
        assert_eq!(table.get(7, 4).unwrap().score, MATE - 7);
        assert_eq!(table.get(7 + (1 << 60), 4), None);
    }

    #[test]
    fn a_table_keeps_within_its_size() {
        let table = HashTable::new(3);
        assert!(table.entries.len() * size_of::<Option<Entry>>() <= 3 << 20);
        assert!(table.entries.len().is_power_of_two());
    }
}
