//! The choice of the next commit to test.

use serde::{Deserialize, Serialize};

use crate::report::verdict::Verdict;
use crate::text::labelled;

labelled! {
    /// What a bisection makes of the verdict on a commit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum CommitMark {
        Good = "good",
        Bad = "bad",
        Skipped = "skipped",
    }
}

impl From<Verdict> for CommitMark {
    fn from(verdict: Verdict) -> CommitMark {
        match verdict {
            Verdict::Better | Verdict::Same => CommitMark::Good,
            Verdict::Worse | Verdict::Broken => CommitMark::Bad,
            Verdict::Skipped | Verdict::CannotTell => CommitMark::Skipped,
        }
    }
}

/// The commits after the good one, up to the bad one, with their marks so far.
///
/// Commits before the last good one and after the first bad one no longer matter. Each test halves the commits in
/// between; commits that cannot be tested are avoided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    marks: Vec<Option<CommitMark>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BisectStep {
    Test(usize),
    /// The first bad commit is one of these. The last one is bad; the others cannot be tested.
    OneOf(Vec<usize>),
}

impl Bisection {
    pub fn new(commits: usize) -> Bisection {
        assert!(commits > 0, "a bad commit");
        let mut marks = vec![None; commits];
        marks[commits - 1] = Some(CommitMark::Bad);
        Bisection { marks }
    }

    pub fn record(&mut self, commit: usize, mark: CommitMark) {
        self.marks[commit] = Some(mark);
    }

    pub fn step(&self) -> BisectStep {
        let (first, bad) = self.open_range();
        let next = if first == bad { None } else { self.next_to_test(first, bad) };
        next.map_or_else(|| BisectStep::OneOf((first..=bad).collect()), BisectStep::Test)
    }

    pub fn suspects(&self) -> usize {
        let (first, bad) = self.open_range();
        bad - first + 1
    }

    /// The indices of the commit after the last good one and of the first bad one.
    fn open_range(&self) -> (usize, usize) {
        let is = |wanted: CommitMark| move |mark: &Option<CommitMark>| *mark == Some(wanted);
        let bad = self.marks.iter().position(is(CommitMark::Bad)).unwrap_or(self.marks.len() - 1);
        let good = self.marks[..bad].iter().rposition(is(CommitMark::Good));
        (good.map_or(0, |good| good + 1), bad)
    }

    /// The commit in the middle. If that cannot be tested, the middle of the longest untested stretch, because the
    /// neighbours of a commit that does not build often do not build either.
    fn next_to_test(&self, first: usize, bad: usize) -> Option<usize> {
        let middle = first + (bad - first) / 2;
        let middle = middle.min(bad - 1);
        if self.marks[middle].is_none() {
            return Some(middle);
        }
        let mut stretches = Vec::new();
        let mut start = first;
        for commit in first..=bad {
            if self.marks[commit].is_some() {
                stretches.push((start, commit));
                start = commit + 1;
            }
        }
        let longest = stretches.into_iter().max_by_key(|(start, end)| end.saturating_sub(*start))?;
        let (start, end) = longest;
        (end > start).then(|| start + (end - start) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bisects commits with the first bad one at `first_bad`; those marked in `skipped` cannot be tested. Returns the last
    /// step and the number of tests.
    fn search(commits: usize, first_bad: usize, skipped: &[bool]) -> (BisectStep, usize) {
        let mut bisection = Bisection::new(commits);
        for tests in 0.. {
            let BisectStep::Test(commit) = bisection.step() else { return (bisection.step(), tests) };
            assert_eq!(bisection.marks[commit], None, "tested twice");
            let mark = match commit {
                _ if skipped[commit] => CommitMark::Skipped,
                _ if commit >= first_bad => CommitMark::Bad,
                _ => CommitMark::Good,
            };
            bisection.record(commit, mark);
        }
        unreachable!()
    }

    proptest! {
        #[test]
        fn the_first_bad_commit_is_found_in_as_many_tests_as_halving_takes(
            commits in 1_usize..3000, place in 0.0..1.0,
        ) {
            let first_bad = (place * commits as f64) as usize;
            let (step, tests) = search(commits, first_bad, &vec![false; commits]);
            prop_assert_eq!(step, BisectStep::OneOf(vec![first_bad]));
            prop_assert!(tests as f64 <= (commits as f64).log2().ceil(), "{} tests", tests);
        }

        #[test]
        fn the_answer_is_true_even_if_commits_cannot_be_tested(
            skipped in prop::collection::vec(any::<bool>(), 1..60), place in 0.0..1.0,
        ) {
            let commits = skipped.len();
            let first_bad = (place * commits as f64) as usize;
            // The last commit is bad, so it is not skipped.
            let untested = |commit: usize| commit + 1 < commits && skipped[commit];
            match search(commits, first_bad, &skipped).0 {
                BisectStep::OneOf(suspects) => {
                    prop_assert!(suspects.contains(&first_bad));
                    let (last, others) = suspects.split_last().unwrap();
                    prop_assert!(others.iter().all(|&commit| untested(commit)));
                    prop_assert!(!untested(*last));
                    prop_assert!(suspects[0] == 0 || !untested(suspects[0] - 1));
                }
                BisectStep::Test(_) => prop_assert!(false, "the bisection did not end"),
            }
        }
    }

    #[test]
    fn a_long_stretch_that_does_not_build_is_left_soon() {
        let skipped: Vec<bool> = (0..200).map(|commit| (60..140).contains(&commit)).collect();
        let (step, tests) = search(200, 20, &skipped);
        assert_eq!(step, BisectStep::OneOf(vec![20]));
        assert!(tests < 12, "{tests} tests");
    }
}
