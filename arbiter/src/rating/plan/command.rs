//! `arbiter sprt plan`: plans a test that fits into a budget of hours.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::everyday::EverydayPlan;
use super::match_command::{games_like, games_with};
use super::pace::{GamePace, PaceSource};
use super::plan_report::{PlanReport, ResultsModel};
use crate::cli::{CliResult, ExitCode, OrExitCode, answer, console};
use crate::options::{Rungs, machine};
use crate::rating::forecast;
use crate::results::RunResults;
use crate::text::number_text::counted;
use runner::{SearchLimits, TimeControl};
use stats::{Elo, Observations, Pentanomial, SprtModel};

const HELP: &str = "\
The numbers are for tests without --give-up. With --give-up 0.05, hopeless tests end sooner, and the probability of accepting \
H1 is at most 0.05 lower.";

/// Fewer pairs than this say little about the distribution of results.
const ENOUGH_PAIRS: u64 = 50;

#[derive(Debug, Args)]
#[command(
    after_help = HELP,
    override_usage = "arbiter sprt plan --hours <HOURS> --tc <TC> [OPTIONS]\n       arbiter sprt plan --hours <HOURS> --like <DIR> [OPTIONS]",
    group = ArgGroup::new("difference").args(["elo", "nelo"]),
    group = ArgGroup::new("pace").args(["tc", "ladder", "like", "games_per_hour"]).required(true)
)]
pub struct PlanArgs {
    /// Hours that the test may take
    #[arg(long, value_name = "HOURS", value_parser = |text: &str| parse_above_0(text, 1e6))]
    hours: f64,

    /// Expected difference in logistic Elo, above 0; without --elo and --nelo, the plan is for everyday patches
    #[arg(long, value_name = "ELO", value_parser = parse_difference, allow_negative_numbers = true)]
    elo: Option<f64>,

    /// Expected difference in normalized Elo, above 0
    #[arg(long, value_name = "NELO", value_parser = parse_difference, allow_negative_numbers = true)]
    nelo: Option<f64>,

    /// Estimate the speed for this time control: each engine uses 90% of its base time and makes 60 moves
    #[arg(long, value_name = "TC", help_heading = "Speed")]
    tc: Option<TimeControl>,

    /// Plan `arbiter match --ladder`, at the speed of its last time control; also show what the ladder saves and misses
    #[arg(long, value_name = "TC,TC,…", help_heading = "Speed")]
    ladder: Option<Rungs>,

    /// Games played at the same time, for --tc and --ladder [default: one for each core]
    #[arg(long, value_name = "N", conflicts_with_all = ["like", "games_per_hour"], help_heading = "Speed", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// Take the speed from this run folder, and the distribution of results unless --draws or --bias is given
    #[arg(long, value_name = "DIR", help_heading = "Speed")]
    like: Option<PathBuf>,

    /// Finished games per hour
    #[arg(long, value_name = "N", help_heading = "Speed", value_parser = |text: &str| parse_above_0(text, 1e9))]
    games_per_hour: Option<f64>,

    /// Draw ratio between equal engines, from 0 to 0.999 [default: 0.5; without --bias, the results of --like, if
    /// given]
    #[arg(long, value_name = "RATIO", help_heading = "Results", value_parser = forecast::parse_draws)]
    draws: Option<f64>,

    /// Bias of the openings towards one colour, in Elo [default: 0; the default book of --sprt is biased and takes fewer
    /// games]
    #[arg(long, value_name = "ELO", help_heading = "Results", value_parser = forecast::parse_bias)]
    bias: Option<f64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl PlanArgs {
    pub fn run(self) -> CliResult {
        let like = self.like.as_deref().map(RunResults::read).transpose().usage()?;
        let (pace, games) = self.pace(like.as_ref()).usage()?;
        let results = self.results(like.as_ref());
        let elo = self.elo.map(|elo| (elo, SprtModel::Logistic));
        let nelo = self.nelo.map(|nelo| (nelo, SprtModel::Normalized));
        let Some(difference) = elo.or(nelo) else {
            let plan = EverydayPlan::new(self.hours, pace, self.ladder.as_ref(), &results, &games).usage()?;
            answer(&plan, self.json, EverydayPlan::document)?;
            return Ok(ExitCode::Done);
        };
        let report = PlanReport::new(self.hours, pace, difference, &results, &games).usage()?;
        let report = match &self.ladder {
            Some(rungs) => report.with_ladder(rungs, &results),
            None => report,
        };
        answer(&report, self.json, PlanReport::document)?;
        Ok(ExitCode::Done)
    }

    /// The speed, and the engines and options of a match that plays at that speed.
    fn pace(&self, like: Option<&RunResults>) -> Result<(GamePace, String)> {
        if let Some(run) = like {
            return Ok((GamePace::of_run(run)?, games_like(&run.config)));
        }
        let concurrency = self.concurrency.map_or_else(machine::cores, usize::from);
        if let Some(tc) = &self.tc {
            let limits = SearchLimits { clock: Some(tc.clone()), ..SearchLimits::default() };
            return Ok((GamePace::of_time_control(tc, concurrency), games_with(&limits, concurrency)));
        }
        if let Some(rungs) = &self.ladder {
            let games = format!("NEW OLD --ladder {} --concurrency {concurrency}", rungs.joined(","));
            return Ok((GamePace::of_time_control(rungs.last(), concurrency), games));
        }
        let games_per_hour = self.games_per_hour.unwrap_or_default();
        Ok((GamePace { games_per_hour, source: PaceSource::Given }, "NEW OLD".to_owned()))
    }

    fn results(&self, like: Option<&RunResults>) -> ResultsModel {
        match like {
            Some(run) if self.draws.is_none() && self.bias.is_none() => {
                let mut pairs = Pentanomial::default();
                run.summary.pairings.iter().for_each(|pairing| pairs += pairing.pentanomial);
                if pairs.pairs() < ENOUGH_PAIRS {
                    console::note(&format!(
                        "warning: --like {}: {} say little about the distribution of results; \
                         expected {ENOUGH_PAIRS} or more",
                        run.folder.display(),
                        counted(pairs.pairs(), "pair")
                    ));
                }
                ResultsModel::Observed(Observations::Pairs(pairs))
            }
            _ => ResultsModel::Assumed {
                draws: self.draws.unwrap_or(forecast::DEFAULT_DRAWS),
                bias: Elo::new(self.bias.unwrap_or(0.0)),
            },
        }
    }
}

fn parse_difference(text: &str) -> Result<f64, String> {
    parse_above_0(text, 200.0)
}

fn parse_above_0(text: &str, most: f64) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| *number > 0.0 && *number <= most);
    number.ok_or_else(|| format!("expected a number above 0, at most {most}"))
}
