//! `arbiter sprt`: Elo, LOS and LLR from results, and forecasts of an SPRT.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::results_source::{self, RecordedResults};
use super::sprt_report::{MatchResults, SprtReport};
use crate::cli::{CliResult, OrExitCode, answer};
use crate::options::SequentialTestArgs;
use crate::rating::RepeatedGames;
use crate::rating::forecast::ForecastArgs;
use crate::report::verdict::Verdict;
use stats::{Observations, Pentanomial, SprtModel, Wdl};

const EXIT_CODES: &str =
    "Exit code: 0 if H1 is accepted or there is no SPRT, 1 if H0 is accepted, 3 if the SPRT is undecided.";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct SprtArgs {
    /// A run folder, or PGN files
    ///
    /// Without --sprt, the SPRT of the run is used. Two games of a PGN file are a pair if they have reversed colours and the
    /// same round (the part before the point), start position and book moves, as marked by comments such as {book}. In a
    /// round of more than two games, only games whose opening is known are paired. If this does not pair most games, they
    /// are paired by opening, or else by first moves that two consecutive games share with no others. If most games are
    /// still not paired, all count as single games.
    #[arg(value_name = "DIR|PGN", conflicts_with_all = ["ptnml", "wdl"])]
    sources: Vec<PathBuf>,

    /// The engine whose results are shown [default: the first of two engines]
    #[arg(long, value_name = "NAME", requires = "sources", conflicts_with_all = ["ptnml", "wdl"])]
    engine: Option<String>,

    /// Ptnml(0-2): number of pairs with 0, ½, 1, 1½ and 2 points for the engine
    #[arg(long, value_name = "LL,LD,DD,WD,WW", conflicts_with = "wdl")]
    #[arg(value_parser = |text: &str| parse_counts(text).map(Pentanomial::new))]
    ptnml: Option<Pentanomial>,

    /// Wins, draws and losses of the engine, for games that are not paired
    #[arg(long, value_name = "W,D,L")]
    #[arg(value_parser = |text: &str| parse_counts(text).map(|[won, drawn, lost]| Wdl::new(won, drawn, lost)))]
    wdl: Option<Wdl>,

    /// How to count games that repeat an earlier one move for move: once, or each time, as Ordo does
    #[arg(long, value_enum, value_name = "HOW", default_value_t, requires = "sources")]
    #[arg(conflicts_with_all = ["ptnml", "wdl"])]
    repeats: RepeatedGames,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sequential_test: SequentialTestArgs,

    #[command(flatten)]
    forecast: ForecastArgs,
}

impl SprtArgs {
    pub fn run(self) -> CliResult {
        let RecordedResults { mut results, test: of_run } = self.results().usage()?;
        let asked = self.sequential_test.sprt().usage()?;
        if asked.is_some_and(|test| test.model() == SprtModel::Bayesian) {
            self.count_games(&mut results).usage()?;
        }
        let test = asked.or(of_run.map(|(test, _)| test));
        let forecast = self.forecast.forecasts(test.as_ref(), &results.observations).usage()?;
        let mut report = SprtReport::new(results, test.as_ref(), forecast);
        if let (None, Some((_, after_sprt))) = (asked, of_run) {
            report.estimates.after_sprt = after_sprt;
        }
        answer(&report, self.json, SprtReport::document)?;
        // A report with only a forecast has no verdict.
        let has_verdict = report.forecast.is_none() || report.games > 0;
        Ok(if has_verdict { report.judged() } else { Verdict::Same }.exit_code())
    }

    /// Counts single games for `BayesElo`, pairs included, as fishtest did.
    fn count_games(&self, results: &mut MatchResults) -> anyhow::Result<()> {
        let Some(games) = results.wdl.filter(|_| !self.forecast.is_wanted()) else {
            bail!(
                "--model bayesian: expected single games, from --wdl W,D,L, a run folder or PGN files, and no --expect"
            )
        };
        results.observations = Observations::Games(games);
        results.paired_by.clear();
        (results.unpaired, results.repeated) = (0, 0);
        Ok(())
    }

    fn results(&self) -> anyhow::Result<RecordedResults> {
        let observations = match (self.ptnml, self.wdl) {
            (Some(pairs), _) => Observations::Pairs(pairs),
            (None, Some(games)) => Observations::Games(games),
            (None, None) if !self.sources.is_empty() => {
                return results_source::read(&self.sources, self.engine.as_deref(), self.repeats);
            }
            (None, None) if self.forecast.is_wanted() => Observations::Games(Wdl::default()),
            (None, None) => bail!(
                "expected a run folder, PGN files, --ptnml LL,LD,DD,WD,WW or --wdl W,D,L; or --expect ELO for a forecast"
            ),
        };
        Ok(RecordedResults { results: MatchResults::of_counts(observations), test: None })
    }
}

/// Parses counts separated by commas, with optional spaces and brackets, as fastchess prints them.
fn parse_counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let inside = text.trim().trim_start_matches('[').trim_end_matches(']');
    let counts: Vec<u64> = inside
        .split(',')
        .map(|count| {
            let count = count.trim();
            count.parse().map_err(|_| format!("expected {N} whole numbers, found `{count}`"))
        })
        .collect::<Result<_, _>>()?;
    let found = counts.len();
    counts.try_into().map_err(|_| format!("expected {N} whole numbers separated by commas, found {found}"))
}
