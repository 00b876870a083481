//! Sets of rule cases, one bit each.

use std::ops::{BitAnd, BitOrAssign};

use super::rule_case::RuleCase;

const WORDS: usize = RuleCase::ALL.len().div_ceil(64);

/// A set of rule cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseSet([u64; WORDS]);

impl CaseSet {
    /// Adds a case.
    pub fn insert(&mut self, case: RuleCase) {
        self.0[case as usize / 64] |= 1 << (case as usize % 64);
    }

    /// Adds a case if a condition holds.
    pub fn insert_if(&mut self, condition: bool, case: RuleCase) {
        if condition {
            self.insert(case);
        }
    }

    /// Whether a case is in the set.
    pub fn has(&self, case: RuleCase) -> bool {
        self.0[case as usize / 64] >> (case as usize % 64) & 1 == 1
    }

    /// Whether no case is in the set.
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

impl BitOrAssign for CaseSet {
    fn bitor_assign(&mut self, other: CaseSet) {
        self.0.iter_mut().zip(other.0).for_each(|(ours, theirs)| *ours |= theirs);
    }
}

impl FromIterator<RuleCase> for CaseSet {
    fn from_iter<I: IntoIterator<Item = RuleCase>>(cases: I) -> CaseSet {
        let mut set = CaseSet::default();
        cases.into_iter().for_each(|case| set.insert(case));
        set
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
