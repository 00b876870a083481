//! Choosing few positions that show every case often enough.
//!
//! This is set multi-cover, for which nobody knows a fast exact method. The greedy one is close: take the position that
//! helps most, counting a case the more the scarcer it is among those left, until nothing is lacking; then drop
//! whatever turned out to be superfluous.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::case_miner::HardPosition;
use super::case_set::CaseSet;
use super::rule_case::RuleCase;

/// What the value of a position is multiplied by to be a whole number; more than there are positions of a case.
const SCALE: u64 = 1_000_000;

/// The indices, ascending, of positions that together show each of the `wanted` cases in at least `times` positions; a
/// case that fewer show is shown by all of those.
pub fn cover(positions: &[HardPosition], wanted: CaseSet, times: u32) -> Vec<usize> {
    let supply = tally(positions.iter());
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
        // Values only fall, so a position that is still worth what it was at its last look is the best there is.
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

/// Drops positions, the first chosen last, whose cases are all shown often enough without them.
fn drop_superfluous(positions: &[HardPosition], wanted: CaseSet, times: u32, chosen: &mut Vec<usize>) {
    let mut shown = tally(chosen.iter().map(|index| &positions[*index]));
    for place in (0..chosen.len()).rev() {
        let cases = positions[chosen[place]].cases & wanted;
        if cases.iter().all(|case| shown[case as usize] > times) {
            cases.iter().for_each(|case| shown[case as usize] -= 1);
            chosen.remove(place);
        }
    }
}

/// In how many positions each case occurs.
fn tally<'a>(positions: impl Iterator<Item = &'a HardPosition>) -> Vec<u32> {
    let mut tally = vec![0; RuleCase::ALL.len()];
    positions.flat_map(|mined| mined.cases.iter()).for_each(|case| tally[case as usize] += 1);
    tally
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scene::Scene;

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
            let supply = tally(positions.iter());
            let shown = |without: Option<usize>| {
                tally(chosen.iter().filter(|index| Some(**index) != without).map(|index| &positions[*index]))
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
