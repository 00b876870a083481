//! Likelihood of superiority.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Score;
use super::normal::cumulative;

/// The probability, from 0 to 1, that the first engine is the stronger one, given its score.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Los(f64);

impl Los {
    /// Φ((score − ½) / standard error); ½ without games.
    ///
    /// If all observations are equal and not worth ½, the standard error is zero, and the formula would be certain
    /// after one game. Then it is that of a coin with unknown bias and a uniform prior: after n heads in n throws,
    /// heads are more likely with probability 1 − 2^−(n+1).
    pub fn new(score: &Score) -> Los {
        let lead = score.mean() - 0.5;
        if lead == 0.0 {
            return Los(0.5);
        }
        if score.is_uniform() {
            let doubt = 0.5 * (-(score.observations() as f64)).exp2();
            return Los(if lead > 0.0 { 1.0 - doubt } else { doubt });
        }
        Los::of_difference(lead, score.standard_error())
    }

    /// Φ(difference / standard error); with an error of 0 the sign of the difference decides; ½ for no difference.
    pub(super) fn of_difference(difference: f64, standard_error: f64) -> Los {
        Los(if difference == 0.0 { 0.5 } else { cumulative(difference / standard_error) })
    }

    /// From a probability.
    pub(super) const fn of_probability(probability: f64) -> Los {
        Los(probability)
    }

    /// The probability, from 0 to 1.
    pub const fn probability(self) -> f64 {
        self.0
    }
}

/// The bare probability from 0 to 1; precision and width are the caller's.
impl fmt::Display for Los {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Pentanomial, Wdl};

    #[test]
    fn nothing_known_is_even() {
        for wdl in [Wdl::default(), Wdl::new(0, 7, 0), Wdl::new(3, 1, 3)] {
            assert!((Los::new(&wdl.score()).probability() - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn one_win_is_not_certainty() {
        assert!((Los::new(&Wdl::new(1, 0, 0).score()).probability() - 0.75).abs() < 1e-12);
        assert!((Los::new(&Wdl::new(0, 0, 2).score()).probability() - 0.125).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_two_sides_add_up_to_one(counts in prop::array::uniform5(0u64..50)) {
            let pairs = Pentanomial::new(counts);
            let ours = Los::new(&pairs.score()).probability();
            let theirs = Los::new(&pairs.reversed().score()).probability();
            prop_assert!((ours + theirs - 1.0).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&ours));
        }
    }
}
