//! What to expect of a sequential test before it is played.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::number_text::{percent, thousands};
use crate::text::{Table, Tone};
use stats::{Elo, SprtForecast, SprtModel};

/// Simulated tests at several true differences, and what they assume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtOutlook {
    /// The scale of the differences.
    pub model: SprtModel,
    /// Where the results were drawn from.
    pub basis: OutlookBasis,
    /// What made the random numbers.
    pub seed: u64,
    /// One for each difference, in the order asked for.
    pub forecasts: Vec<SprtForecast>,
}

/// What results a simulation draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OutlookBasis {
    /// Those of the match, shifted to the difference.
    Observed,
    /// Opening pairs.
    Assumed {
        /// The share of games that equal engines draw, from 0 to 1.
        draws: f64,
        /// How much openings favour one colour.
        bias: Elo,
    },
}

/// Shows an outlook as a table.
#[derive(Clone, Copy, Debug)]
pub struct OutlookText<'a> {
    pub outlook: &'a SprtOutlook,
    pub colour: bool,
}

impl OutlookText<'_> {
    fn row(forecast: &SprtForecast) -> [(String, Tone); 5] {
        let passes = forecast.pass_probability().map_or("-".to_owned(), |(share, (lower, upper))| {
            format!("{}  ({:.1} to {:.1})", percent(share), 100.0 * lower, 100.0 * upper)
        });
        let beyond = || format!("> {}", thousands(SprtForecast::MAX_GAMES));
        let games = |games: Option<u64>| games.map_or_else(beyond, thousands);
        [
            plain(forecast.elo.to_string()),
            plain(passes),
            plain(forecast.mean_games.map_or("-".to_owned(), |mean| thousands(mean.round() as u64))),
            plain(games(forecast.median_games)),
            plain(games(forecast.most_games)),
        ]
    }
}

impl fmt::Display for OutlookText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtOutlook { model, basis, forecasts, .. } = self.outlook;
        let tests = forecasts.first().map_or(0, |forecast| u64::from(forecast.tests));
        let drawn = match basis {
            OutlookBasis::Observed => "results as in the match, shifted to the difference".to_owned(),
            OutlookBasis::Assumed { draws, bias } => {
                let openings = match bias.value() {
                    0.0 => "balanced openings".to_owned(),
                    bias => format!("openings that favour one colour by {bias} Elo"),
                };
                format!("equal engines draw {} of their games, {openings}", percent(*draws))
            }
        };
        writeln!(f, "  {} simulated tests for each difference;\n  {drawn}", thousands(tests))?;
        let unit = match model {
            SprtModel::Normalized => "True nElo",
            SprtModel::Logistic => "True Elo",
        };
        let mut table = Table::new([unit, "H1 accepted (95%)", "Games", "half by", "95% by"]);
        for forecast in forecasts {
            table.row(Self::row(forecast));
        }
        f.write_str(&table.text(self.colour))?;
        let undecided: u32 = forecasts.iter().map(|forecast| forecast.undecided).sum();
        if undecided > 0 {
            let games = thousands(SprtForecast::MAX_GAMES);
            writeln!(
                f,
                "  {} tests were given up undecided after {games} games",
                thousands(undecided.into())
            )?;
        }
        Ok(())
    }
}

fn plain(text: String) -> (String, Tone) {
    (text, Tone::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(basis: OutlookBasis, forecasts: Vec<SprtForecast>) -> String {
        let outlook = SprtOutlook { model: SprtModel::Normalized, basis, seed: 1, forecasts };
        OutlookText { outlook: &outlook, colour: false }.to_string()
    }

    fn forecast(elo: f64, accepted_h1: u32, undecided: u32) -> SprtForecast {
        SprtForecast {
            elo,
            tests: 1000,
            accepted_h0: 1000 - accepted_h1 - undecided,
            accepted_h1,
            undecided,
            mean_games: (undecided == 0).then_some(31_234.6),
            median_games: Some(27_000),
            most_games: (undecided == 0).then_some(81_000),
        }
    }

    #[test]
    fn differences_are_rows() {
        let basis = OutlookBasis::Assumed { draws: 0.5, bias: Elo::new(0.0) };
        insta::assert_snapshot!(text(
            basis,
            vec![forecast(0.0, 48, 0), forecast(2.5, 503, 0), forecast(5.0, 1000, 0)]
        ));
    }

    #[test]
    fn a_length_that_is_not_known_is_not_told() {
        let basis = OutlookBasis::Assumed { draws: 0.9, bias: Elo::new(120.0) };
        insta::assert_snapshot!(text(basis, vec![forecast(-0.25, 3, 400)]));
    }
}
