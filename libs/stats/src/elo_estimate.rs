//! Logistic Elo with its 95% interval.

use serde::{Deserialize, Serialize};

use super::{Elo, Score};

/// The Elo difference estimated from the score of a match, with its 95% interval.
///
/// The interval is computed for the score, where the normal approximation is good, and both of its ends are mapped
/// through the logistic; so it is not symmetric, and it is infinite on a side where a score of 0 or 1 cannot be
/// excluded. Without games the estimate is 0 and the interval infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloEstimate {
    /// The most likely difference.
    pub elo: Elo,
    /// The lower end of the 95% interval, at most [`elo`](EloEstimate::elo).
    pub lower: Elo,
    /// The upper end of the 95% interval, at least [`elo`](EloEstimate::elo).
    pub upper: Elo,
}

impl EloEstimate {
    /// The estimate that belongs to a score.
    pub fn new(score: &Score) -> EloEstimate {
        let (lower, upper) = score.interval();
        EloEstimate {
            elo: Elo::from_score(score.mean()),
            lower: Elo::from_score(lower),
            upper: Elo::from_score(upper),
        }
    }

    /// Half the width of the interval, the "±" of a result; infinite when the interval is open-ended.
    pub fn margin(&self) -> f64 {
        let width = self.upper.value() - self.lower.value();
        // After a sweep too long for its doubt to be a number, both ends are infinite, and the width is none.
        if width.is_nan() { f64::INFINITY } else { width / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Pentanomial, Wdl};

    #[test]
    fn a_clean_sweep_has_a_lower_bound_and_no_upper() {
        let estimate = EloEstimate::new(&Wdl::new(10, 0, 0).score());
        assert_eq!(estimate.elo, Elo::new(f64::INFINITY));
        assert_eq!(estimate.upper, Elo::new(f64::INFINITY));
        assert!((estimate.lower.value() - 140.2).abs() < 0.1);
        assert!(estimate.margin().is_infinite());
    }

    #[test]
    fn no_games_say_nothing() {
        let estimate = EloEstimate::new(&Pentanomial::default().score());
        assert_eq!(estimate.elo, Elo::new(0.0));
        assert_eq!((estimate.lower.value(), estimate.upper.value()), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn estimates_survive_json() {
        let estimate = EloEstimate::new(&Wdl::new(10, 0, 0).score());
        let json = serde_json::to_string(&estimate).unwrap();
        assert_eq!(serde_json::from_str::<EloEstimate>(&json).unwrap(), estimate);
    }

    proptest! {
        #[test]
        fn swapping_the_players_negates_the_estimate(counts in prop::array::uniform5(0u64..100_000)) {
            let pairs = Pentanomial::new(counts);
            let ours = EloEstimate::new(&pairs.score());
            let theirs = EloEstimate::new(&pairs.reversed().score());
            for (a, b) in [(ours.elo, theirs.elo), (ours.lower, theirs.upper), (ours.upper, theirs.lower)] {
                prop_assert!(a == -b || (a.value() + b.value()).abs() < 1e-6, "{a} and {b}");
            }
            prop_assert!(ours.lower <= ours.elo && ours.elo <= ours.upper);
        }
    }
}
