//! Normalized Elo: the lead of the score over ½, in standard deviations.

use std::f64::consts::LN_10;

use super::Score;
use super::elo::{difference, half_width};

difference! {
    /// A difference of strength in normalized Elo: (score − ½) / σ · 800 / ln 10, where σ is the standard
    /// deviation of one game (√2 times that of an opening pair's mean score).
    ///
    /// It determines the number of games that are needed to see the difference, so it depends little on openings and time
    /// control. Without draws it agrees with logistic Elo near 0. Source: Van den Bergh, "Comments on normalized Elo".
    /// Never NaN; infinite for a score other than ½ without any spread. Serialised as a number, or as `"inf"` and `"-inf"`.
    NormalizedElo
}

/// Normalized Elo per standard deviation of one game, 800 / ln 10 ≈ 347.4.
const PER_DEVIATION: f64 = 800.0 / LN_10;

impl NormalizedElo {
    /// The difference for a t-value: the lead over ½ in standard deviations of one game.
    ///
    /// # Panics
    /// If `t` is NaN.
    pub const fn from_t_value(t: f64) -> NormalizedElo {
        NormalizedElo::new(t * PER_DEVIATION)
    }

    /// The lead over ½ in standard deviations of one game.
    pub const fn t_value(self) -> f64 {
        self.0 / PER_DEVIATION
    }
}

/// The normalized Elo difference estimated from a match, with its 95% interval.
///
/// The interval is computed for the t-value, by the delta method. If all observations are equal, their spread is 0.
/// Then the interval has one finite end, as the interval of the score does, and is infinite on the side of the lead.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct NormalizedEloEstimate {
    /// The most likely difference.
    pub nelo: NormalizedElo,
    /// The lower end of the 95% interval, at most [`nelo`](NormalizedEloEstimate::nelo).
    pub lower: NormalizedElo,
    /// The upper end of the 95% interval, at least [`nelo`](NormalizedEloEstimate::nelo).
    pub upper: NormalizedElo,
}

impl NormalizedEloEstimate {
    /// The estimate from a score.
    pub fn new(score: &Score) -> NormalizedEloEstimate {
        let (t, (lower, upper)) = (score.t_value(), score.t_value_interval());
        NormalizedEloEstimate {
            nelo: NormalizedElo::from_t_value(t),
            lower: NormalizedElo::from_t_value(lower),
            upper: NormalizedElo::from_t_value(upper),
        }
    }

    /// Half the width of the interval, the "±" of a result; infinite if either end is infinite.
    pub fn margin(&self) -> f64 {
        half_width(self.lower.value(), self.upper.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Wdl};

    #[test]
    fn without_a_spread_an_estimate_is_as_narrow_as_the_number_of_games_allows() {
        let [short, long] = [5, 500].map(|wins| NormalizedEloEstimate::new(&Wdl::new(wins, 0, 0).score()));
        assert!(short.nelo.value().is_infinite() && short.upper.value().is_infinite());
        assert!(short.lower.value().is_finite() && short.lower < long.lower);
        let [few, many] = [4, 4000].map(|draws| NormalizedEloEstimate::new(&Wdl::new(0, draws, 0).score()));
        assert_eq!(few.nelo, NormalizedElo::new(0.0));
        assert!(many.margin() < few.margin() && many.margin() > 0.0 && few.margin().is_finite());
        let estimate = NormalizedEloEstimate::new(&Pentanomial::default().score());
        assert_eq!(estimate.nelo, NormalizedElo::new(0.0));
        assert!(estimate.margin().is_infinite());
    }
}
