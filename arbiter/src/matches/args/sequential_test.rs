//! The test that may end a match early.

use anyhow::Context;
use clap::{Args, ValueEnum};

use stats::{Sprt, SprtModel};

/// The options under "Sequential test".
#[derive(Debug, Args)]
#[command(next_help_heading = "Sequential test")]
pub struct SequentialTestArgs {
    /// A sequential test of two Elo differences, such as 0,5: a match stops when it decides
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Accepting H1 by mistake this often
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_ALPHA, requires = "sprt")]
    alpha: f64,

    /// Accepting H0 by mistake this often
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_BETA, requires = "sprt")]
    beta: f64,

    /// What the Elo differences of --sprt mean
    #[arg(long, value_enum, default_value_t = ModelArg::Normalized, requires = "sprt")]
    model: ModelArg,
}

/// `--model`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelArg {
    /// In units of the standard deviation of a game.
    Normalized,
    /// By the expected score.
    Logistic,
}

impl SequentialTestArgs {
    /// The test, if one was asked for.
    ///
    /// # Errors
    /// Its numbers make no sense.
    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some((elo0, elo1)) = self.sprt else { return Ok(None) };
        let model = match self.model {
            ModelArg::Normalized => SprtModel::Normalized,
            ModelArg::Logistic => SprtModel::Logistic,
        };
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta, model).context("--sprt")?;
        Ok(Some(sprt))
    }
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?)));
    bounds.ok_or_else(|| "expected two Elo differences, such as 0,5".to_owned())
}
