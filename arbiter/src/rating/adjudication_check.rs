//! `arbiter sprt adjudication DIR…`: what draw and resign rules would have cost.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use crate::cli::{CliResult, ExitCode, OrExitCode, answer};
use crate::report::adjudication_text::document;
use crate::results::adjudication::{AdjudicationCheck, AdjudicationReport, rules};
use runner::{Adjudication, DrawRule, ResignRule, RunJournal};

const HELP: &str = "\
Ended early: games that the rule would have ended before their last move. Changed: those whose real result differs from \
the one that the rule would have given; the error rate is their share. Time and plies: the engines' thinking time and the plies \
saved. With both --draw and --resign, the two are also judged together.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct AdjudicationCheckArgs {
    /// Run folders, preferably of runs without --draw and --resign, or with --play-out
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,

    /// A draw rule, as for `arbiter match`; may be repeated
    #[arg(long = "draw", value_name = "RULE")]
    draws: Vec<DrawRule>,

    /// A resign rule, as for `arbiter match`; may be repeated
    #[arg(long = "resign", value_name = "RULE")]
    resignations: Vec<ResignRule>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl AdjudicationCheckArgs {
    pub fn run(self) -> CliResult {
        let check = self.check().usage()?;
        let runs = self.runs.iter().map(|run| run.display().to_string()).collect();
        answer(&AdjudicationReport::new(runs, &check), self.json, |_| document(&check, self.runs.len()))?;
        Ok(ExitCode::Done)
    }

    fn check(&self) -> anyhow::Result<AdjudicationCheck> {
        let journals = self.runs.iter().map(|run| RunJournal::open(run)).collect::<Result<Vec<_>, _>>()?;
        let mut check = AdjudicationCheck::new(self.rules(&journals));
        for journal in journals {
            for game in journal.events.finished_games() {
                check.add(&journal.config, &game?);
            }
        }
        if check.games == 0 {
            bail!("expected finished games, found none");
        }
        Ok(check)
    }

    /// The rules given as options, or else the rules of the runs and the usual ones.
    fn rules(&self, journals: &[RunJournal]) -> Vec<Adjudication> {
        if !self.draws.is_empty() || !self.resignations.is_empty() {
            return rules::chosen(&self.draws, &self.resignations);
        }
        let mut rules = rules::of_runs(journals.iter().map(|journal| &journal.config.adjudication));
        for usual in rules::usual() {
            if !rules.contains(&usual) {
                rules.push(usual);
            }
        }
        rules
    }
}
