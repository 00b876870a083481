//! Forecasts of a sequential test: how many games it needs, and how often it accepts H1.

use std::fmt;

use anyhow::Context;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::number_text::{counted, elo_unit, percent, thousands};
use crate::text::{Document, Table};
use stats::{Elo, Observations, ResultShares, Sprt, SprtForecast, SprtModel};

/// The draw ratio between equal engines if neither the games nor the user give one.
pub const DEFAULT_DRAWS: f64 = 0.5;

#[derive(Debug, Args)]
#[command(next_help_heading = "Forecast")]
pub struct ForecastArgs {
    /// Simulate the SPRT for these true Elo differences (in Elo of --model): expected games, and how often H1 is accepted
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = |text: &str| parse_between(text, -Sprt::MAX_BOUND, Sprt::MAX_BOUND))]
    expect: Vec<f64>,

    /// Draw ratio between equal engines, from 0 to 0.999 [default: 0.5; without --bias, the results of the games given, if
    /// any]
    #[arg(long, value_name = "RATIO", requires = "expect", value_parser = parse_draws)]
    draws: Option<f64>,

    /// Bias of the openings towards one colour, in Elo [default: 0]
    #[arg(long, value_name = "ELO", requires = "expect", value_parser = parse_bias)]
    bias: Option<f64>,

    /// Simulations for each difference
    #[arg(long, value_name = "N", requires = "expect", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    simulations: u32,

    /// Seed of the simulations; the same seed gives the same forecast
    #[arg(long, value_name = "N", requires = "expect", default_value_t = 1)]
    seed: u64,
}

impl ForecastArgs {
    pub fn is_wanted(&self) -> bool {
        !self.expect.is_empty()
    }

    /// The forecast, if `--expect` asks for one. Results are drawn as observed, unless the user assumed a draw ratio or
    /// bias, or nothing was observed.
    pub fn forecasts(
        &self,
        test: Option<&Sprt>,
        observed: &Observations,
    ) -> anyhow::Result<Option<SprtForecasts>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let test = test.context("--expect: expected --sprt ELO0,ELO1, the test to simulate")?;
        let is_observed = self.draws.is_none() && self.bias.is_none() && observed.games() > 0;
        let (draws, bias) = (self.draws.unwrap_or(DEFAULT_DRAWS), Elo::new(self.bias.unwrap_or(0.0)));
        let forecasts = self.expect.iter().map(|&elo| {
            let as_observed =
                is_observed.then(|| ResultShares::tilted(observed, elo, test.model())).flatten();
            let shares = as_observed.unwrap_or_else(|| ResultShares::assumed(elo, test.model(), draws, bias));
            // The difference as typed; the simulated one differs by rounding.
            SprtForecast { elo, ..SprtForecast::new(test, &shares, self.simulations, self.seed) }
        });
        let basis =
            if is_observed { ForecastBasis::Observed } else { ForecastBasis::Assumed { draws, bias } };
        Ok(Some(SprtForecasts {
            model: test.model(),
            basis,
            seed: self.seed,
            forecasts: forecasts.collect(),
        }))
    }
}

pub fn parse_draws(text: &str) -> Result<f64, String> {
    parse_between(text, 0.0, ResultShares::MAX_DRAWS)
}

pub fn parse_bias(text: &str) -> Result<f64, String> {
    parse_between(text, 0.0, ResultShares::MAX_BIAS)
}

fn parse_between(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

/// Simulated SPRTs at several true Elo differences, with their assumptions.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SprtForecasts {
    /// The Elo model of the differences.
    pub model: SprtModel,
    /// The distribution of the simulated results.
    pub basis: ForecastBasis,
    /// The seed of the simulations.
    pub seed: u64,
    /// One forecast for each difference, in the order of --expect.
    pub forecasts: Vec<SprtForecast>,
}

#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ForecastBasis {
    /// The results of the match, shifted to the Elo difference.
    Observed,
    /// Pairs with an assumed draw ratio and bias.
    Assumed { draws: f64, bias: Elo },
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
