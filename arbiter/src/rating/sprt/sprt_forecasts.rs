//! Forecasts of an SPRT: how many games it needs, and how often it accepts H1.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::number_text::{counted, elo_unit, percent, thousands};
use crate::text::{Document, Table};
use stats::{Elo, SprtForecast, SprtModel};

/// Simulated SPRTs at several true Elo differences, with their assumptions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtForecasts {
    /// The Elo model of the differences.
    pub model: SprtModel,
    /// The distribution of the simulated results.
    pub basis: ForecastBasis,
    /// The seed of the simulations.
    pub seed: u64,
    /// One for each difference, in the order of --expect.
    pub forecasts: Vec<SprtForecast>,
}

/// The distribution of the simulated results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ForecastBasis {
    /// The results of the match, shifted to the Elo difference.
    Observed,
    /// Pairs with an assumed draw ratio and bias.
    Assumed {
        /// The draw ratio between equal engines, from 0 to 1.
        draws: f64,
        /// The bias of the openings towards one colour.
        bias: Elo,
    },
}

impl fmt::Display for ForecastBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ForecastBasis::Assumed { draws, bias } = self else {
            return f.write_str("results as in the match, shifted to each Elo difference");
        };
        write!(f, "draw ratio {} between equal engines, ", percent(*draws))?;
        match bias.value() {
            0.0 => f.write_str("balanced openings"),
            bias => write!(f, "openings with a bias of {bias} Elo"),
        }
    }
}

impl SprtForecasts {
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let tests = self.forecasts.first().map_or(0, |forecast| u64::from(forecast.tests));
        document.line(format!("{} simulations for each Elo difference:", thousands(tests)));
        document.line(self.basis.to_string());
        let unit = format!("True {}", elo_unit(self.model));
        let mut table = Table::new([&unit, "H1 accepted (95%)", "Mean games", "Median", "95th percentile"]);
        self.forecasts.iter().for_each(|forecast| table.plain(cells(forecast)));
        document.table(table);
        let undecided: u32 = self.forecasts.iter().map(|forecast| forecast.undecided).sum();
        if undecided > 0 {
            let simulations = counted(undecided.into(), "simulation");
            document
                .line(format!("{simulations} undecided after {} games", thousands(SprtForecast::MAX_GAMES)));
        }
        document
    }
}

fn cells(forecast: &SprtForecast) -> [String; 5] {
    let passes = forecast.pass_probability().map_or("-".to_owned(), |(share, (lower, upper))| {
        format!("{}  ({:.1} to {:.1})", percent(share), 100.0 * lower, 100.0 * upper)
    });
    let beyond = || format!("> {}", thousands(SprtForecast::MAX_GAMES));
    let games = |games: Option<u64>| games.map_or_else(beyond, thousands);
    let mean = forecast.mean_games.map_or("-".to_owned(), |mean| thousands(mean.round() as u64));
    [forecast.elo.to_string(), passes, mean, games(forecast.median_games), games(forecast.most_games)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(basis: ForecastBasis, forecasts: Vec<SprtForecast>) -> String {
        let forecast = SprtForecasts { model: SprtModel::Normalized, basis, seed: 1, forecasts };
        forecast.document().terminal(false)
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
        let basis = ForecastBasis::Assumed { draws: 0.5, bias: Elo::new(0.0) };
        insta::assert_snapshot!(text(
            basis,
            vec![forecast(0.0, 48, 0), forecast(2.5, 503, 0), forecast(5.0, 1000, 0)]
        ));
    }

    #[test]
    fn an_unknown_length_is_a_dash() {
        let basis = ForecastBasis::Assumed { draws: 0.9, bias: Elo::new(120.0) };
        insta::assert_snapshot!(text(basis, vec![forecast(-0.25, 3, 400)]));
    }
}
