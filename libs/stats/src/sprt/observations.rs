//! The results of a match, as pairs or single games.

use std::ops::Add;

use crate::{Llr, Pentanomial, Score, Sprt, Wdl};

/// Pairs if openings were played in pairs, otherwise single games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Observations {
    /// Two games from each opening, colours reversed: the pentanomial model.
    Pairs(Pentanomial),
    /// Independent games: the trinomial model.
    Games(Wdl),
}

/// The sum of two results. Pairs and single games cannot be added: the left side then stays as it is.
impl Add for Observations {
    type Output = Observations;

    fn add(self, other: Observations) -> Observations {
        match (self, other) {
            (Observations::Pairs(one), Observations::Pairs(other)) => Observations::Pairs(one + other),
            (Observations::Games(one), Observations::Games(other)) => Observations::Games(one + other),
            _ => self,
        }
    }
}

impl Observations {
    /// No results yet, of single games or of pairs.
    pub fn none(of_games: bool) -> Observations {
        if of_games {
            Observations::Games(Wdl::default())
        } else {
            Observations::Pairs(Pentanomial::default())
        }
    }

    /// Whether these are single games (`of_games`), or pairs (not `of_games`).
    pub const fn are_like(&self, of_games: bool) -> bool {
        matches!(self, Observations::Games(_)) == of_games
    }

    /// The number of games; a pair counts as two.
    pub fn games(&self) -> u64 {
        match self {
            Observations::Pairs(pairs) => pairs.pairs().saturating_mul(2),
            Observations::Games(games) => games.games(),
        }
    }

    /// The first engine's points; a draw counts ½.
    pub fn points(&self) -> f64 {
        match self {
            Observations::Pairs(pairs) => pairs.points(),
            Observations::Games(games) => games.points(),
        }
    }

    /// The mean score per game, with its moments.
    pub fn score(&self) -> Score {
        match self {
            Observations::Pairs(pairs) => pairs.score(),
            Observations::Games(games) => games.score(),
        }
    }

    /// The log-likelihood ratio of a sequential test: finite for all counts, 0 without games.
    pub fn llr(&self, test: &Sprt) -> Llr {
        match self {
            Observations::Pairs(pairs) => test.llr_of_pairs(pairs),
            Observations::Games(games) => test.llr_of_games(games),
        }
    }

    /// `DrawRatio`: the share of pairs worth 1 point, or of drawn games, from 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        match self {
            Observations::Pairs(pairs) => pairs.draw_ratio(),
            Observations::Games(games) => games.draw_ratio(),
        }
    }

    /// `PairsRatio`: pairs won / pairs lost; `None` for single games or if no pair was lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        match self {
            Observations::Pairs(pairs) => pairs.pair_ratio(),
            Observations::Games(_) => None,
        }
    }

    /// The results from the second engine's point of view.
    #[must_use]
    pub const fn reversed(&self) -> Observations {
        match self {
            Observations::Pairs(pairs) => Observations::Pairs(pairs.reversed()),
            Observations::Games(games) => Observations::Games(games.reversed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_two_games_and_json_says_which_they_are() {
        assert_eq!(Observations::Pairs(Pentanomial::new([1, 2, 3, 4, 5])).games(), 30);
        assert_eq!(Observations::Games(Wdl::new(1, 2, 3)).games(), 6);
        assert!((Observations::Pairs(Pentanomial::new([1, 2, 3, 4, 5])).points() - 20.0).abs() < 1e-12);
        assert_eq!(Observations::Games(Wdl::new(2, 1, 1)).pair_ratio(), None);
        assert_eq!(Observations::Pairs(Pentanomial::new([0, 1, 0, 1, 1])).pair_ratio(), Some(2.0));
        let pairs = Observations::Pairs(Pentanomial::new([1, 2, 3, 4, 5]));
        let json = r#"{"pairs":[1,2,3,4,5]}"#;
        assert_eq!(serde_json::to_string(&pairs).unwrap(), json);
        assert_eq!(serde_json::from_str::<Observations>(json).unwrap(), pairs);
        assert_eq!(Observations::none(false).draw_ratio(), None);
        assert_eq!(pairs.reversed().reversed(), pairs);
    }
}
