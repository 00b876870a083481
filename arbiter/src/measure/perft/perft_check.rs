//! The counts of one position by one counter.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

use super::move_counter::{CountError, MoveCounter};
use super::perft_difference::{PerftDifference, smallest_difference};
use super::perft_suite::PerftPosition;

/// The counts of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCheck {
    /// Leaves counted, over all depths.
    pub nodes: u64,
    pub time: Duration,
    /// The counts by ascending depth; the last may be wrong.
    pub counts: Vec<PerftCount>,
    /// The first depth whose count is wrong, if any.
    pub mismatch: Option<PerftMismatch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftCount {
    /// The depth in plies.
    pub depth: u32,
    /// The count in the suite.
    pub expected: u64,
    pub found: u64,
    /// Whether it is the expected one, and the sum of the counts below each move.
    pub is_right: bool,
    pub time: Duration,
}

/// A count that differs from the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftMismatch {
    /// The depth in plies.
    pub depth: u32,
    /// The count in the suite.
    pub expected: u64,
    pub found: u64,
    /// The first position where counter and oracle differ; `None` when they agree and the suite is wrong.
    pub difference: Option<PerftDifference>,
}

impl PerftCheck {
    /// Counts a position at every depth of the suite up to `max_depth`; stops at the first wrong count.
    pub fn run(
        counter: &mut (impl MoveCounter + ?Sized),
        position: &PerftPosition,
        max_depth: u32,
    ) -> Result<PerftCheck, CountError> {
        let mut check = PerftCheck { nodes: 0, time: Duration::ZERO, counts: Vec::new(), mismatch: None };
        for &(depth, expected) in position.counts.iter().filter(|(depth, _)| *depth <= max_depth) {
            let start = Instant::now();
            let divide = counter.divide(&position.fen, position.variant, depth)?;
            let time = start.elapsed();
            // A total that is right by itself does not hide what was listed.
            let found = if divide.total == expected { divide.sum } else { divide.total };
            check.time += time;
            check.nodes = check.nodes.saturating_add(found);
            let is_right = found == expected && divide.adds_up();
            check.counts.push(PerftCount { depth, expected, found, is_right, time });
            if !is_right {
                let difference = smallest_difference(counter, &position.fen, position.variant, depth)?;
                check.mismatch = Some(PerftMismatch { depth, expected, found, difference });
                break;
            }
        }
        Ok(check)
    }
}

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
    use crate::measure::perft::move_counter::OwnCore;
    use crate::measure::perft::perft_suite::PerftSuite;

    fn position(counts: &str) -> PerftPosition {
        let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 {counts}");
        PerftSuite::parse("x", &line).unwrap().positions.remove(0)
    }

    #[test]
    fn right_counts_pass_and_add_up() {
        let check = PerftCheck::run(&mut OwnCore, &position(";D1 20 ;D2 400 ;D3 8902"), 2).unwrap();
        assert_eq!(check.nodes, 420);
        let counts: Vec<_> = check.counts.iter().map(|count| (count.depth, count.found)).collect();
        assert_eq!(counts, [(1, 20), (2, 400)]);
        assert_eq!(check.mismatch, None);
    }

    #[test]
    fn a_wrong_suite_is_distinguished_from_a_wrong_counter() {
        let check = PerftCheck::run(&mut OwnCore, &position(";D1 20 ;D2 401 ;D3 8902"), 3).unwrap();
        let mismatch = check.mismatch.unwrap();
        assert_eq!((mismatch.depth, mismatch.expected, mismatch.found), (2, 401, 400));
        assert_eq!(mismatch.difference, None);
    }
}

#[cfg(test)]
mod divide_tests {
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
