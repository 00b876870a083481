//! The rating of a player that won or lost all games.

use super::rating_equations::logistic;
use crate::root::bisect;
use crate::score::MISS_ON_ONE_SIDE;

/// The halvings after which a bound is exact to the last digit.
const HALVINGS: u32 = 60;

/// The games of a player that won all of them or lost all of them. The most likely rating is infinite, but the
/// interval has one finite end.
///
/// The errors of the opponents' ratings are ignored.
#[derive(Clone, Debug)]
pub(super) struct OpenEnd {
    /// Whether the player won all games, rather than lost them.
    pub won: bool,
    /// For each opponent and colour, the rating at which the expected score is ½, on the natural scale, and the number
    /// of games.
    pub opposition: Vec<(f64, f64)>,
}

impl OpenEnd {
    /// The likelihood of the results, from 0 to 1, if the player had this rating.
    pub(super) fn likelihood(&self, rating: f64) -> f64 {
        let log = |&(even, games): &(f64, f64)| {
            let lead = if self.won { rating - even } else { even - rating };
            games * logistic(lead).ln()
        };
        self.opposition.iter().map(log).sum::<f64>().exp()
    }

    /// The finite end of the 95% interval: the rating at which such results have a probability of 2.5%. Against a
    /// single opponent this is the exact binomial bound (Clopper and Pearson 1934).
    pub(super) fn bound(&self) -> f64 {
        let games: f64 = self.opposition.iter().map(|(_, games)| games).sum();
        // With a likelihood of 2.5% for all games, that of a single game lies between 2.5% and 2.5%^(1/games).
        let reach = 4.0 + games.max(1.0).ln();
        let evens = self.opposition.iter().map(|(even, _)| *even);
        let ends = (evens.clone().fold(f64::INFINITY, f64::min), evens.fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = bisect((ends.0 - reach, ends.1 + reach), HALVINGS, |middle| {
            (self.likelihood(middle) < MISS_ON_ONE_SIDE) == self.won
        });
        low.midpoint(high)
    }

    /// The likelihood that the player is better than one with this rating.
    ///
    /// After wins it is 1 minus half the likelihood of the games at equal strength, after losses half that likelihood.
    /// For one opponent it is the [`Los`](crate::Los): after wins 1 − 2^−(games + 1).
    pub(super) fn superiority(&self, rating: f64) -> f64 {
        let doubt = self.likelihood(rating) / 2.0;
        if self.won { 1.0 - doubt } else { doubt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EloEstimate, Los, Wdl};

    const ELO: f64 = 400.0 / std::f64::consts::LN_10;

    #[test]
    fn against_one_opponent_a_sweep_is_bounded_and_believed_as_in_a_match() {
        for games in [1, 10, 1000] {
            let end = OpenEnd { won: true, opposition: vec![(0.0, games as f64)] };
            let sweep = Wdl::new(games, 0, 0).score();
            assert!((end.bound() * ELO - EloEstimate::new(&sweep).lower.value()).abs() < 1e-6);
            assert!((end.superiority(0.0) - Los::new(&sweep).probability()).abs() < 1e-12);
        }
    }

    #[test]
    fn lost_games_mirror_won_ones() {
        let opposition = vec![(0.5, 3.0), (-1.0, 4.0)];
        let won = OpenEnd { won: true, opposition: opposition.clone() };
        let mirrored = opposition.iter().map(|&(even, games)| (-even, games)).collect();
        let lost = OpenEnd { won: false, opposition: mirrored };
        assert!((won.bound() + lost.bound()).abs() < 1e-9);
        assert!((won.likelihood(won.bound()) - MISS_ON_ONE_SIDE).abs() < 1e-9);
        assert!((won.superiority(0.7) + lost.superiority(-0.7) - 1.0).abs() < 1e-12);
    }
}
