//! `arbiter openings rate DIR…`: how sharply books tell two engines apart.

use std::path::PathBuf;

use clap::Args;

use super::rating::{EvalBins, document, rate};
use crate::cli::{Blame, CliResult, ExitCode, answer};

/// Examples and an explanation of the rows.
pub(super) const EXAMPLES: &str = "\
Examples:
  arbiter openings rate results/balanced results/unbalanced     two books, the same engines
  arbiter openings rate results/mixed --by-eval 0,50,100,150    ranges of evals in one book

nElo per second is that of a second of engine time. Games needed and time needed are what a verdict of the same \
certainty costs, compared with the first column: below 1 is cheaper. They are unknown if an interval of nElo contains 0.";

/// The arguments of `arbiter openings rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Run folders of matches between the same two engines, each with another book
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,

    /// Rate openings apart by the advantage of either side in the book (`ce` in EPD): bounds in centipawns, e.g.
    /// 0,50,100 for 0 to 49 and 50 to 99
    #[arg(long, value_name = "A,B,…")]
    by_eval: Option<EvalBins>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl RateArgs {
    /// Reads the runs and prints a column for each book.
    pub fn run(self) -> CliResult {
        let report = rate(&self.runs, self.by_eval.as_ref()).usage()?;
        answer(&report, self.json, document)?;
        Ok(ExitCode::Done)
    }
}
