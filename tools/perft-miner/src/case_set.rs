//! Sets of rule cases, and the choice of few positions that show every case often enough.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::BitAnd;

use super::case_miner::HardPosition;
use super::rule_case::RuleCase;

const WORDS: usize = RuleCase::ALL.len().div_ceil(64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseSet([u64; WORDS]);

impl CaseSet {
    pub fn insert(&mut self, case: RuleCase) {
        self.0[case as usize / 64] |= 1 << (case as usize % 64);
    }

    pub fn insert_if(&mut self, condition: bool, case: RuleCase) {
        if condition {
            self.insert(case);
        }
    }

    pub fn has(&self, case: RuleCase) -> bool {
        self.0[case as usize / 64] >> (case as usize % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The cases in the order of [`RuleCase::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = RuleCase> + use<> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let rests = std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)));
            rests.take_while(|rest| *rest != 0).map(move |rest| {
                let index = word * 64 + rest.trailing_zeros() as usize;
                RuleCase::ALL[index]
            })
        })
    }
}

impl BitAnd for CaseSet {
    type Output = CaseSet;

    fn bitand(mut self, other: CaseSet) -> CaseSet {
        self.0.iter_mut().zip(other.0).for_each(|(ours, theirs)| *ours &= theirs);
        self
    }
}

impl FromIterator<RuleCase> for CaseSet {
    fn from_iter<I: IntoIterator<Item = RuleCase>>(cases: I) -> CaseSet {
        let mut set = CaseSet::default();
        cases.into_iter().for_each(|case| set.insert(case));
        set
    }
}

/// The unit of values, which makes them integers; more than the positions of any case.
const SCALE: u64 = 1_000_000;

/// The indices, ascending, of few positions that together show each of the `wanted` cases at least `times` times; a rarer
/// case in all its positions.
///
/// This is set multi-cover, which has no fast exact method. The greedy one is close: take the position with the highest
/// value, where rare cases count more, until nothing is lacking; then drop the superfluous ones.
pub fn cover(positions: &[HardPosition], wanted: CaseSet, times: u32) -> Vec<usize> {
    let supply = counts_of(positions.iter());
    let mut need: Vec<u32> = supply.iter().map(|&supply| supply.min(times)).collect();
    for case in RuleCase::ALL.iter().filter(|case| !wanted.has(**case)) {
        need[*case as usize] = 0;
    }
    let value = |index: usize, need: &[u32]| -> u64 {
        let scarcity = |case: usize| u64::from(need[case]) * SCALE / u64::from(supply[case]);
        positions[index].cases.iter().map(|case| scarcity(case as usize)).sum()
    };
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> =
        (0..positions.len()).map(|index| (value(index, &need), Reverse(index))).collect();
    let mut chosen = Vec::new();
    while let Some((old_value, Reverse(index))) = heap.pop() {
        // Values only fall, so a position whose value is unchanged is the best.
        let new_value = value(index, &need);
        if new_value < old_value {
            heap.push((new_value, Reverse(index)));
        } else if new_value == 0 {
            break;
        } else {
            for case in positions[index].cases.iter() {
                need[case as usize] = need[case as usize].saturating_sub(1);
            }
            chosen.push(index);
        }
    }
    drop_superfluous(positions, wanted, times, &mut chosen);
    chosen.sort_unstable();
    chosen
}

/// Drops positions whose cases all occur often enough without them, the first chosen last.
fn drop_superfluous(positions: &[HardPosition], wanted: CaseSet, times: u32, chosen: &mut Vec<usize>) {
    let mut shown = counts_of(chosen.iter().map(|index| &positions[*index]));
    for place in (0..chosen.len()).rev() {
        let cases = positions[chosen[place]].cases & wanted;
        if cases.iter().all(|case| shown[case as usize] > times) {
            cases.iter().for_each(|case| shown[case as usize] -= 1);
            chosen.remove(place);
        }
    }
}

fn counts_of<'a>(positions: impl Iterator<Item = &'a HardPosition>) -> Vec<u32> {
    let mut counts = vec![0; RuleCase::ALL.len()];
    positions.flat_map(|mined| mined.cases.iter()).for_each(|case| counts[case as usize] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::classifier::Scene;

    proptest! {
        #[test]
        fn collecting_the_cases_of_a_set_gives_the_set_back(
            chosen in prop::collection::btree_set(prop::sample::select(RuleCase::ALL), 0..20),
        ) {
            let set: CaseSet = chosen.iter().copied().collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), chosen.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(set.is_empty(), chosen.is_empty());
            prop_assert!(RuleCase::ALL.iter().all(|case| set.has(*case) == chosen.contains(case)));
            prop_assert_eq!(set & set, set);
        }
    }

    fn position(cases: &[RuleCase]) -> HardPosition {
        let scene = Scene::from_fen(chess::Position::START_FEN).unwrap();
        let before = scene.position.clone();
        HardPosition { scene, cases: cases.iter().copied().collect(), before }
    }

    #[test]
    fn one_position_that_shows_everything_is_enough() {
        let (a, b) = (RuleCase::EnPassant, RuleCase::Stalemate);
        let positions = [position(&[a]), position(&[a, b]), position(&[b])];
        assert_eq!(cover(&positions, [a, b].into_iter().collect(), 1), [1]);
        assert_eq!(cover(&positions, [a, b].into_iter().collect(), 2), [0, 1, 2]);
        assert_eq!(cover(&positions, [a].into_iter().collect(), 9), [0, 1]);
    }

    proptest! {
        #[test]
        fn what_can_be_shown_often_enough_is_and_nothing_is_superfluous(
            sets in prop::collection::vec(
                prop::collection::vec(prop::sample::select(&RuleCase::ALL[..6]), 0..4), 0..30),
            times in 1..4_u32,
        ) {
            let positions: Vec<_> = sets.iter().map(|cases| position(cases)).collect();
            let wanted: CaseSet = RuleCase::ALL[..6].iter().copied().collect();
            let chosen = cover(&positions, wanted, times);
            let supply = counts_of(positions.iter());
            let shown = |without: Option<usize>| {
                counts_of(chosen.iter().filter(|index| Some(**index) != without).map(|index| &positions[*index]))
            };
            let is_enough = |shown: &[u32]| shown.iter().zip(&supply).all(|(n, supply)| *n >= times.min(*supply));
            prop_assert!(is_enough(&shown(None)));
            for index in &chosen {
                let scarce = positions[*index].cases.iter().any(|case| supply[case as usize] < times);
                prop_assert!(scarce || !is_enough(&shown(Some(*index))));
            }
        }
    }
}
