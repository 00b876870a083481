//! Options of the sequential test that may end a match early.

use anyhow::Context;
use clap::Args;

use super::one_of;
use runner::RunConfig;
use stats::{Sprt, SprtModel, SprtTest};

#[derive(Debug, Args)]
#[command(next_help_heading = "SPRT")]
pub struct SequentialTestArgs {
    /// SPRT with these bounds: 0,5 is [0, 5] normalized Elo
    ///
    /// H0: the difference is at most ELO0. H1: it is at least ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Probability of accepting H1 when H0 is true
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_ALPHA, requires = "sprt")]
    alpha: f64,

    /// Probability of accepting H0 when H1 is true
    #[arg(long, value_name = "P", default_value_t = Sprt::DEFAULT_BETA, requires = "sprt")]
    beta: f64,

    /// Unit of the --sprt bounds
    #[arg(long, default_value = "normalized", requires = "sprt", value_parser = one_of([
        ("normalized", "Normalized Elo: relative to the standard deviation of a game's score", SprtModel::Normalized),
        ("logistic", "Logistic Elo: by the expected score, as in rating lists", SprtModel::Logistic),
        ("bayesian", "`BayesElo`, as on fishtest until 2020: counts single games, with Wald's bounds",
            SprtModel::Bayesian),
    ]))]
    model: SprtModel,

    /// Shape of the LLR bounds
    #[arg(long, value_name = "TEST", default_value = "curved", requires = "sprt", value_parser = one_of([
        ("curved", "Bounds that converge, so every test ends; fewer games than Wald's, except for differences near \
            ELO0 or ELO1", SprtTest::Curved),
        ("wald", "Constant bounds, as in fastchess, cutechess-cli and OpenBench", SprtTest::Wald),
    ]))]
    sprt_test: SprtTest,

    /// Use a mixture SPRT, which is faster if the difference is far outside the bounds
    ///
    /// It takes far fewer games well above ELO1 or well below ELO0, and up to 40% more between the bounds. Alpha and beta
    /// hold as before.
    #[arg(long, requires = "sprt", conflicts_with = "sprt_test")]
    mixture: bool,
}

impl SequentialTestArgs {
    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        self.sprt.map(|bounds| self.test_of(bounds)).transpose()
    }

    fn test_of(&self, (elo0, elo1): (f64, f64)) -> anyhow::Result<Sprt> {
        let bounds = if self.mixture { SprtTest::Wald } else { self.sprt_test };
        anyhow::ensure!(
            !(self.mixture && self.model == SprtModel::Bayesian),
            "--mixture: expected --model normalized or logistic, found bayesian"
        );
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta, self.model).context("--sprt")?;
        Ok(sprt.with_test(bounds).with_mixture(self.mixture))
    }
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?)));
    bounds.ok_or_else(|| "expected two bounds in nElo with a comma between them: --sprt 0,5; with --model logistic they are in Elo".to_owned())
}

const DEFAULT_GAMES: u32 = 100;

/// The options under "SPRT" of the commands that play.
#[derive(Debug, Args)]
#[command(mut_arg("sprt", |arg| arg.help("Test with an SPRT until H0 or H1 is accepted; 0,5 is [0, 5] normalized Elo").long_help(
    "Test with an SPRT until H0 or H1 is accepted; 0,5 is [0, 5] normalized Elo\n\n\
     H0: the difference is at most ELO0. H1: it is at least ELO1. A match ends undecided after 100,000 games, or \
     after --games. `arbiter match --sprt` also adjudicates games and plays an unbalanced book, unless --draw, --resign and --openings say otherwise."
)))]
pub struct PlayedTestArgs {
    #[command(flatten)]
    test: SequentialTestArgs,

    /// With --games: stop when the probability that the remaining games lead to H1 is below P
    ///
    /// The probability is computed as if H1 were true, so this lowers the power by at most P. Not with --mixture.
    #[arg(long, value_name = "P", help_heading = "SPRT", requires_all = ["sprt", "games"], conflicts_with = "mixture", value_parser = parse_chance)]
    give_up: Option<f64>,
}

impl PlayedTestArgs {
    /// The most games of a pairing with an SPRT, which normally decides long before.
    pub const GAMES_UNTIL_A_VERDICT: u32 = 100_000;

    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        self.test.sprt()
    }

    pub fn sprt_or(&self, bounds: (f64, f64)) -> anyhow::Result<Sprt> {
        self.test.test_of(self.test.sprt.unwrap_or(bounds))
    }

    pub fn default_games(sprt: Option<&Sprt>) -> u32 {
        if sprt.is_some() { PlayedTestArgs::GAMES_UNTIL_A_VERDICT } else { DEFAULT_GAMES }
    }

    /// The run with this test and `--give-up`. The test counts single games where there are no pairs to count.
    pub fn ending(&self, run: RunConfig, sprt: Option<Sprt>) -> RunConfig {
        let trinomial = sprt.is_some_and(|test| run.rounds.games == 1 || test.model() == SprtModel::Bayesian);
        RunConfig { sprt, give_up: self.give_up, trinomial, ..run }
    }
}

fn parse_chance(text: &str) -> Result<f64, String> {
    let chance = text.parse::<f64>().ok().filter(|chance| *chance > 0.0 && *chance < 1.0);
    chance.ok_or_else(|| "expected a probability between 0 and 1, both excluded".to_owned())
}
