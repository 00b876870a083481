//! The normalized Elo per Elo of strength, for openings that favour one side.

use super::Wdl;
use super::normal::Z_95;

/// The normalized Elo per logistic Elo of two engines of nearly the same strength. The number of games that a verdict
/// takes is inversely proportional to its square.
///
/// The probability of a win is a logistic function of the lead minus the width of draws, and that of a loss likewise
/// (Rao and Kupper 1967, the model of `BayesElo`). A small lead then changes the shares w of wins and l of losses by
/// w·(1 − w) and −l·(1 − l), times the slope of Elo. Both games of a pair have the same opening, so the spread of a
/// game is the spread of w and l seen by the favoured side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Sharpness {
    /// The normalized Elo per logistic Elo.
    pub nelo_per_elo: f64,
    /// Half the width of its 95% interval, by the delta method.
    pub margin: f64,
}

impl Sharpness {
    /// The sharpness of openings by the favoured side's results. `None` without games or if all results are equal.
    pub fn new(favoured: &Wdl) -> Option<Sharpness> {
        let games = favoured.games() as f64;
        let (w, l) = (favoured.wins as f64 / games, favoured.losses as f64 / games);
        let slope = w * (1.0 - w) + l * (1.0 - l);
        let variance = ((w + l) - (w - l).powi(2)) / 4.0;
        if variance.is_nan() || variance <= 0.0 || slope <= 0.0 {
            return None;
        }
        // Per Elo the mean score changes by slope/2·ln 10/400, and a game's standard deviation is 800/ln 10 nElo.
        let nelo_per_elo = slope / variance.sqrt();
        let by_wins = (1.0 - 2.0 * w) / slope - (1.0 - 2.0 * (w - l)) / (8.0 * variance);
        let by_losses = (1.0 - 2.0 * l) / slope - (1.0 + 2.0 * (w - l)) / (8.0 * variance);
        let spread = by_wins.powi(2) * w * (1.0 - w) + by_losses.powi(2) * l * (1.0 - l)
            - 2.0 * by_wins * by_losses * w * l;
        let margin = Z_95 * nelo_per_elo * (spread.max(0.0) / games).sqrt();
        Some(Sharpness { nelo_per_elo, margin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elo, ResultShares, SprtModel};

    /// Compares with pairs in the same model at a small difference, whose logistic Elo follows from their score.
    #[test]
    fn the_ratio_is_that_of_pairs_at_a_small_difference() {
        for (width, bias) in [(100.0, 0.0), (240.0, 0.0), (240.0, 150.0), (500.0, 0.0), (500.0, 300.0)] {
            let favoured = favoured(width, bias);
            let (nelo, draws) = (0.1, favoured.draw_ratio().unwrap());
            let shares = ResultShares::assumed(nelo, SprtModel::Normalized, draws, Elo::new(bias));
            let [w, l] = [favoured.wins, favoured.losses].map(|count| count as f64 / 1e6);
            let of_the_model = shares.elo(SprtModel::Logistic) / (2.0 * (w * (1.0 - w) + l * (1.0 - l)));
            let sharpness = Sharpness::new(&favoured).unwrap().nelo_per_elo;
            assert!((sharpness * of_the_model / nelo - 1.0).abs() < 0.001, "{width} {bias}: {sharpness}");
        }
    }

    /// A million games of equal engines from openings with this bias, for a width of draws in Elo.
    fn favoured(width: f64, bias: f64) -> Wdl {
        let games = |lead| (Elo::new(lead).expected_score() * 1e6).round() as u64;
        let (wins, losses) = (games(bias - width), games(-bias - width));
        Wdl::new(wins, 1_000_000 - wins - losses, losses)
    }

    #[test]
    fn drawish_openings_are_sharper_if_they_favour_a_side() {
        let of = |width, bias| Sharpness::new(&favoured(width, bias)).unwrap().nelo_per_elo;
        assert!(of(500.0, 450.0) > 1.5 * of(500.0, 0.0), "nine of ten games are drawn without a bias");
        assert!(of(100.0, 100.0) < of(100.0, 0.0), "three of ten");
    }

    #[test]
    fn the_margin_falls_with_the_root_of_the_games_and_nothing_is_known_without() {
        let [few, many] =
            [Wdl::new(30, 50, 20), Wdl::new(3000, 5000, 2000)].map(|wdl| Sharpness::new(&wdl).unwrap());
        assert!((few.margin / many.margin - 10.0).abs() < 1e-9 && few.margin < 0.25);
        assert_eq!(Sharpness::new(&Wdl::default()), None);
        assert_eq!(Sharpness::new(&Wdl::new(0, 10, 0)), None);
    }
}
