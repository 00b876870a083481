//! The SPRT that ends the runs that are played.

use clap::Args;

use super::SequentialTestArgs;
use runner::RunConfig;
use stats::Sprt;

/// Games of a pairing when the user does not say.
const DEFAULT_GAMES: u32 = 100;

/// The most games of a pairing with an SPRT, which decides long before.
const DEFAULT_GAMES_OF_SPRT: u32 = 100_000;

/// The options under "SPRT" of the commands that play.
#[derive(Debug, Args)]
pub struct PlayedTestArgs {
    #[command(flatten)]
    test: SequentialTestArgs,

    /// With --games: stop undecided when the games left would accept a true H1 with a probability below P, e.g. 0.05;
    /// this lowers the power of the test by at most P; not with --mixture
    #[arg(long, value_name = "P", help_heading = "SPRT", requires_all = ["sprt", "games"], conflicts_with = "mixture", value_parser = parse_chance)]
    give_up: Option<f64>,
}

impl PlayedTestArgs {
    /// The test, if one was asked for.
    ///
    /// # Errors
    /// Its numbers make no sense.
    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        self.test.sprt()
    }

    /// Games of each pairing when the user does not say, with or without a test.
    pub fn default_games(sprt: Option<&Sprt>) -> u32 {
        if sprt.is_some() { DEFAULT_GAMES_OF_SPRT } else { DEFAULT_GAMES }
    }

    /// The run with this test and the probability of `--give-up`.
    pub fn ending(&self, run: RunConfig, sprt: Option<Sprt>) -> RunConfig {
        RunConfig { sprt, give_up: self.give_up, ..run }
    }
}

fn parse_chance(text: &str) -> Result<f64, String> {
    let chance = text.parse::<f64>().ok().filter(|chance| *chance > 0.0 && *chance < 1.0);
    chance.ok_or_else(|| "expected a probability between 0 and 1, both excluded".to_owned())
}
