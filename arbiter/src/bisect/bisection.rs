//! Where to look next for the first bad commit.

use serde::{Deserialize, Serialize};

/// What is known about a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is as it should be.
    Good,
    /// It is not.
    Bad,
    /// It cannot be told, since it does not build or cannot be tested.
    Skipped,
}

/// A line of commits from the one after the good one to the bad one, and what is known about each.
///
/// Somewhere in the line good turns to bad; what is before the last good one and behind the first bad one does not
/// matter any more. The search halves what is between, and goes around commits that tell nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    verdicts: Vec<Option<Verdict>>,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Test this commit.
    Test(usize),
    /// This commit is the first bad one.
    FirstBad(usize),
    /// The first bad commit is one of these, the last of which is known to be bad; the others cannot be told.
    OneOf(Vec<usize>),
}

impl Bisection {
    /// A line of so many commits, the last of which is bad.
    ///
    /// # Panics
    /// There is no commit.
    pub fn new(commits: usize) -> Bisection {
        assert!(commits > 0, "a bad commit");
        let mut verdicts = vec![None; commits];
        verdicts[commits - 1] = Some(Verdict::Bad);
        Bisection { verdicts }
    }

    /// Takes note of a verdict.
    pub fn record(&mut self, commit: usize, verdict: Verdict) {
        self.verdicts[commit] = Some(verdict);
    }

    /// What follows from all verdicts so far.
    pub fn step(&self) -> Step {
        let (first, bad) = self.doubtful();
        if first == bad {
            return Step::FirstBad(bad);
        }
        match self.most_telling(first, bad) {
            Some(commit) => Step::Test(commit),
            None => Step::OneOf((first..=bad).collect()),
        }
    }

    /// How many commits may still be the first bad one.
    pub fn suspects(&self) -> usize {
        let (first, bad) = self.doubtful();
        bad - first + 1
    }

    /// The commit behind the last good one, and the first bad one.
    fn doubtful(&self) -> (usize, usize) {
        let is = |wanted: Verdict| move |verdict: &Option<Verdict>| *verdict == Some(wanted);
        let bad = self.verdicts.iter().position(is(Verdict::Bad)).unwrap_or(self.verdicts.len() - 1);
        let good = self.verdicts[..bad].iter().rposition(is(Verdict::Good));
        (good.map_or(0, |good| good + 1), bad)
    }

    /// The commit in the middle; where that cannot be told, the middle of the longest stretch that was not tried, since
    /// the neighbours of a commit that does not build often do not build either.
    fn most_telling(&self, first: usize, bad: usize) -> Option<usize> {
        let middle = first + (bad - first) / 2;
        let middle = middle.min(bad - 1);
        if self.verdicts[middle].is_none() {
            return Some(middle);
        }
        let mut stretches = Vec::new();
        let mut start = first;
        for commit in first..=bad {
            if self.verdicts[commit].is_some() {
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
    use proptest::prelude::*;

    use super::*;

    /// Searches a line in which `first_bad` is the first bad commit and those of `skipped` cannot be told. Returns how
    /// it ended, and after how many tests.
    fn search(commits: usize, first_bad: usize, skipped: &[bool]) -> (Step, usize) {
        let mut bisection = Bisection::new(commits);
        for tests in 0.. {
            let Step::Test(commit) = bisection.step() else { return (bisection.step(), tests) };
            assert_eq!(bisection.verdicts[commit], None, "tested twice");
            let verdict = match commit {
                _ if skipped[commit] => Verdict::Skipped,
                _ if commit >= first_bad => Verdict::Bad,
                _ => Verdict::Good,
            };
            bisection.record(commit, verdict);
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
            prop_assert_eq!(step, Step::FirstBad(first_bad));
            prop_assert!(tests as f64 <= (commits as f64).log2().ceil(), "{} tests", tests);
        }

        #[test]
        fn where_commits_cannot_be_told_the_answer_is_still_true(
            skipped in prop::collection::vec(any::<bool>(), 1..60), place in 0.0..1.0,
        ) {
            let commits = skipped.len();
            let first_bad = (place * commits as f64) as usize;
            // The last one is known to be bad.
            let untold = |commit: usize| commit + 1 < commits && skipped[commit];
            match search(commits, first_bad, &skipped).0 {
                Step::FirstBad(found) => prop_assert_eq!(found, first_bad),
                Step::OneOf(suspects) => {
                    prop_assert!(suspects.contains(&first_bad));
                    let (last, others) = suspects.split_last().unwrap();
                    prop_assert!(!others.is_empty() && others.iter().all(|&commit| untold(commit)));
                    prop_assert!(!untold(*last));
                    prop_assert!(suspects[0] == 0 || !untold(suspects[0] - 1));
                }
                Step::Test(_) => prop_assert!(false, "it has not ended"),
            }
        }
    }

    #[test]
    fn a_long_stretch_that_does_not_build_is_left_soon() {
        let skipped: Vec<bool> = (0..200).map(|commit| (60..140).contains(&commit)).collect();
        let (step, tests) = search(200, 20, &skipped);
        assert_eq!(step, Step::FirstBad(20));
        assert!(tests < 12, "{tests} tests");
    }
}
