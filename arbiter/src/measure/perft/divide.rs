//! Perft divide: the answer of a move counter.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The leaves below each move of a position, and their total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divide {
    /// The leaves below each move, in UCI notation.
    pub parts: BTreeMap<String, u64>,
    /// The moves that were listed more than once.
    pub repeated: Vec<String>,
    /// The sum of all that was listed.
    pub sum: u64,
    /// The total: the sum, or what an engine says it is.
    pub total: u64,
}

impl Divide {
    /// Whether each move was listed once and the total is the sum.
    pub fn adds_up(&self) -> bool {
        self.repeated.is_empty() && self.total == self.sum
    }
}

impl FromIterator<(String, u64)> for Divide {
    fn from_iter<T: IntoIterator<Item = (String, u64)>>(listed: T) -> Divide {
        let mut divide = Divide::default();
        for (m, count) in listed {
            divide.sum = divide.sum.saturating_add(count);
            match divide.parts.entry(m) {
                Entry::Vacant(first) => drop(first.insert(count)),
                Entry::Occupied(first) => divide.repeated.push(first.key().clone()),
            }
        }
        Divide { total: divide.sum, ..divide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_is_listed_twice_or_a_wrong_total_does_not_add_up() {
        let divide = |moves: &[&str]| -> Divide { moves.iter().map(|m| ((*m).to_owned(), 3)).collect() };
        let sound = divide(&["e2e4", "d2d4"]);
        assert!(sound.adds_up() && sound.total == 6);
        assert!(!Divide { total: 5, ..sound }.adds_up());
        let twice = divide(&["e2e4", "d2d4", "e2e4"]);
        assert!(!twice.adds_up());
        assert_eq!((twice.repeated, twice.total, twice.parts.len()), (vec!["e2e4".to_owned()], 9, 2));
    }
}
