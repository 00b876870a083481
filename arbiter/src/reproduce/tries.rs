//! How often a fault comes, and whether it still comes as often as before.

use std::time::Duration;

use stats::Proportion;

use crate::text::number_text::percent_to;

/// The probabilities of a wrong yes and a wrong no.
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;

/// A fault is rarer, and no longer "as often", at this fraction of its first rate.
const SELDOM: f64 = 1.0 / 3.0;

/// A few tries do not make any rate certain, so rates are capped here.
const HIGHEST: f64 = 0.97;

/// The most tries spent on a question, as a multiple of the mean number of tries until the fault comes.
const MOST: f64 = 16.0;

/// The outcome of a script's tries so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tries {
    pub came: u32,
    pub played: u32,
    pub time: Duration,
}

impl Tries {
    pub fn add(&mut self, came: bool, time: Duration) {
        self.came += u32::from(came);
        self.played += 1;
        self.time += time;
    }

    /// How often the fault came, in words; if never, the highest rate that it may have.
    pub fn text(self) -> String {
        let Tries { came, played: tries, time } = self;
        let each = time.as_secs_f64() / f64::from(tries.max(1));
        if came == 0 {
            let missed = percent_to(0.99_f64.powi(tries as i32), 0);
            return format!(
                "The fault occurred in 0 of {tries} tries, {each:.1} s each: its rate is below {} (95%). {missed} of such checks \
                 would miss a fault that occurs in one of a hundred tries.",
                percent_to(highest_unseen(tries), 0)
            );
        }
        let (low, high) = Proportion { hits: came.into(), trials: tries.into() }.interval();
        format!(
            "The fault occurred in {came} of {tries} tries ({} to {}), {each:.1} s each.",
            percent_to(low, 0),
            percent_to(high, 0)
        )
    }
}

/// The upper 95% confidence bound of the rate of an event that never came: 1 − 0.05^(1/n) (Clopper and Pearson 1934).
pub fn highest_unseen(tries: u32) -> f64 {
    1.0 - 0.05_f64.powf(1.0 / f64::from(tries.max(1)))
}

/// Whether a fault still comes as often as before: Wald's sequential test ("Sequential Tests of Statistical Hypotheses",
/// 1945) of the original rate against a third of it. The original rate is always the reference, so that many small losses
/// do not add up.
#[derive(Clone, Debug)]
pub struct SameRate {
    /// What a try with the fault, and a try without it, adds to the log-likelihood ratio.
    steps: [f64; 2],
    ratio: f64,
    /// The number of further tries after which there is always an answer.
    pub left: u32,
}

impl SameRate {
    pub fn new(known: Tries) -> SameRate {
        let rate = (f64::from(known.came.max(1)) / f64::from(known.played.max(1))).min(HIGHEST);
        let seldom = rate * SELDOM;
        let steps = [(rate / seldom).ln(), ((1.0 - rate) / (1.0 - seldom)).ln()];
        SameRate { steps, ratio: 0.0, left: (MOST / rate).ceil() as u32 }
    }

    /// Counts a try, and returns the answer once there is one. It is no if all tries are used up.
    pub fn add(&mut self, came: bool) -> Option<bool> {
        self.ratio += self.steps[usize::from(!came)];
        self.left = self.left.saturating_sub(1);
        if self.ratio >= ((1.0 - BETA) / ALPHA).ln() {
            Some(true)
        } else if self.ratio <= (BETA / (1.0 - ALPHA)).ln() || self.left == 0 {
            Some(false)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn tries(came: u32, played: u32) -> Tries {
        Tries { came, played, time: Duration::from_secs(20) }
    }

    #[test]
    fn a_certain_fault_is_decided_at_once_and_a_rare_one_in_bounded_tries() {
        let mut certain = SameRate::new(tries(20, 20));
        assert_eq!([certain.add(true), certain.add(true), certain.add(true)], [None, None, Some(true)]);
        assert_eq!(SameRate::new(tries(20, 20)).add(false), Some(false));
        let mut random = ChaCha8Rng::seed_from_u64(1);
        // The fault comes in one of five tries.
        let mut share = |rate: f64| {
            let answers = (0..2000).map(|_| {
                let mut test = SameRate::new(tries(4, 20));
                loop {
                    if let Some(answer) = test.add(random.random_bool(rate)) {
                        return answer;
                    }
                }
            });
            answers.filter(|answer| *answer).count() as f64 / 2000.0
        };
        let (kept, lost, gone) = (share(0.2), share(0.2 / 3.0), share(0.0));
        assert!(kept > 0.85 && lost < 0.08 && gone == 0.0, "{kept} {lost}");
    }
}
