//! `arbiter sprt`: what results say about two engines, and where a sequential test stands.

use std::io::{self, Write};

use clap::Args;

use crate::cli::error::{Blame, CliResult};
use crate::cli::match_args::{ForecastArgs, SequentialTestArgs};
use crate::cli::{ExitCode, console};
use crate::report::{MatchResults, SprtReport, SprtText};
use crate::stats::{Observations, Pentanomial, SprtStatus, Wdl};

/// The arguments of `arbiter sprt`.
#[derive(Debug, Args)]
pub struct SprtArgs {
    /// Opening pairs by what they are worth to the first engine: 0, ½, 1, 1½ and 2 points
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = parse_pairs, conflicts_with = "wdl", required_unless_present_any = ["wdl", "expect"])]
    ptnml: Option<Pentanomial>,

    /// Wins, draws and losses of the first engine, where openings were not paired
    #[arg(long, value_name = "W,D,L", value_parser = parse_games)]
    wdl: Option<Wdl>,

    #[command(flatten)]
    sequential_test: SequentialTestArgs,

    #[command(flatten)]
    forecast: ForecastArgs,

    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

impl SprtArgs {
    /// Prints the figures.
    pub fn run(self) -> CliResult {
        let test = self.sequential_test.sprt().usage()?;
        let results = self.results();
        let outlook = self.forecast.outlook(test.as_ref(), &results.observations).usage()?;
        let report = SprtReport::new(results, test.as_ref(), outlook);
        let mut out = io::stdout();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&report).fault()?).fault()?;
        } else {
            let text = SprtText { report: &report, colour: console::wants_colour(&out) };
            write!(out, "{text}").fault()?;
        }
        Ok(exit_code(&report))
    }

    fn results(&self) -> MatchResults {
        let observations = match (self.ptnml, self.wdl) {
            (Some(pairs), _) => Observations::Pairs(pairs),
            (None, wdl) => Observations::Games(wdl.unwrap_or_default()),
        };
        MatchResults::of_counts(observations)
    }
}

/// The verdict of the test, as a match would end with it. A forecast alone has none.
fn exit_code(report: &SprtReport) -> ExitCode {
    if report.outlook.is_some() && report.games == 0 {
        return ExitCode::Done;
    }
    match report.sprt.map(|sprt| sprt.status) {
        None | Some(SprtStatus::AcceptH1) => ExitCode::Done,
        Some(SprtStatus::AcceptH0) => ExitCode::Regression,
        Some(SprtStatus::Continue) => ExitCode::Inconclusive,
    }
}

fn parse_pairs(text: &str) -> Result<Pentanomial, String> {
    parse_counts(text).map(Pentanomial::new)
}

fn parse_games(text: &str) -> Result<Wdl, String> {
    parse_counts(text).map(|[wins, draws, losses]| Wdl::new(wins, draws, losses))
}

/// Counts separated by commas; blanks, and the brackets that other programs print around them, do no harm.
fn parse_counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let inside = text.trim().trim_start_matches('[').trim_end_matches(']');
    let counts: Vec<u64> = inside
        .split(',')
        .map(|count| {
            let count = count.trim();
            count.parse().map_err(|_| format!("expected {N} counts, but `{count}` is not a count"))
        })
        .collect::<Result<_, _>>()?;
    let found = counts.len();
    counts.try_into().map_err(|_| format!("expected {N} counts separated by commas, found {found}"))
}
