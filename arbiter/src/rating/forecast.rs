//! What to expect of a sequential test.

use anyhow::Context;
use clap::Args;

use crate::rating::sprt::{ForecastBasis, SprtForecasts};
use stats::{Elo, Observations, ResultShares, Sprt, SprtForecast};

/// The share of draws between equal engines when neither games nor the user say.
pub const DEFAULT_DRAWS: f64 = 0.5;

/// The options under "Forecast".
#[derive(Debug, Args)]
#[command(next_help_heading = "Forecast")]
pub struct ForecastArgs {
    /// Simulate the SPRT for these true Elo differences (in Elo of --model): expected games, and how often H1 is accepted
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = parse_difference)]
    expect: Vec<f64>,

    /// Draw ratio between equal engines, from 0 to 0.999 [default: 0.5, or the results of the games given, where there
    /// is no --bias either]
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
    /// Whether a forecast was asked for.
    pub fn is_wanted(&self) -> bool {
        !self.expect.is_empty()
    }

    /// The forecast that was asked for, if any. Results are drawn as observed, unless something else was assumed or
    /// nothing was observed.
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
            // As it was typed, not as it was met to the last bit.
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

fn parse_difference(text: &str) -> Result<f64, String> {
    parse_between(text, -Sprt::MAX_BOUND, Sprt::MAX_BOUND)
}

/// Reads a share of draws that may be assumed.
pub fn parse_draws(text: &str) -> Result<f64, String> {
    parse_between(text, 0.0, ResultShares::MAX_DRAWS)
}

/// Reads a bias of openings that may be assumed, in Elo.
pub fn parse_bias(text: &str) -> Result<f64, String> {
    parse_between(text, 0.0, ResultShares::MAX_BIAS)
}

fn parse_between(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}
