//! Options of the matches that measure each step of an ablation in Elo.

use std::path::PathBuf;

use clap::Args;

use super::playing_args::even_games;
use super::{AdjudicationArgs, OpeningArgs, books, machine};
use runner::{Adjudication, EngineConfig, RunConfig, SearchLimits, TimeControl};

const DEFAULT_NODES: u64 = 5000;

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub struct StepGamesArgs {
    /// Also play this many games between each step and the one it is compared with, and report the Elo difference
    #[arg(long, value_name = "GAMES")]
    elo: Option<u32>,

    /// Nodes for each move of these games [default: 5000]
    #[arg(long, value_name = "N", requires = "elo", conflicts_with = "elo_tc",
        value_parser = clap::value_parser!(u64).range(1..))]
    elo_nodes: Option<u64>,

    /// Time control of these games, instead of nodes; then the time that a technique costs counts too
    #[arg(long, value_name = "TC", requires = "elo")]
    elo_tc: Option<TimeControl>,

    /// Games played at the same time [default: as many as fit on the cores]
    #[arg(long, value_name = "N", requires = "elo", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// Folder for the run folders of these matches; it must not exist [default: results/<date>-ablation-ENGINE]
    #[arg(long, value_name = "DIR", requires = "elo")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    openings: OpeningArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

impl StepGamesArgs {
    /// The configuration of the matches, without engines; `None` without `--elo`. `engine` determines the cores needed.
    pub fn run_config(&self, engine: &EngineConfig) -> anyhow::Result<Option<RunConfig>> {
        let Some(games) = self.elo else { return Ok(None) };
        even_games("--elo", games)?;
        let nodes = self.elo_tc.is_none().then(|| self.elo_nodes.unwrap_or(DEFAULT_NODES));
        let limits = SearchLimits { clock: self.elo_tc.clone(), nodes, ..SearchLimits::default() };
        limits.validate()?;
        let room = machine::games_at_once(std::slice::from_ref(engine), false);
        let (book, _) = self.openings.open(books::DEFAULT)?;
        Ok(Some(RunConfig {
            concurrency: self.concurrency.map_or(room, usize::from),
            variant: self.openings.variant,
            limits,
            adjudication: self.adjudication.with_tables(&Adjudication::default(), self.openings.variant)?.0,
            made: Some(machine::made_now()),
            ..RunConfig::of(games, book, Vec::new())
        }))
    }
}
