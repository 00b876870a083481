//! How games are played, whatever they are played for.

use clap::Args;

use super::{AdjudicationArgs, LimitArgs, OpeningArgs, PacingArgs};
use crate::options::machine;
use runner::{Adjudication, BookConfig, PgnConfig, PgnFields, RunConfig, TablebaseAdjudicator};

/// The options that every command has that plays runs.
#[derive(Debug, Args)]
pub struct PlayingArgs {
    /// What bounds the searches.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// How many games, how many at once, and where they go.
    #[command(flatten)]
    pub pacing: PacingArgs,

    /// Where the openings come from.
    #[command(flatten)]
    pub openings: OpeningArgs,

    /// Which games are cut short.
    #[command(flatten)]
    pub adjudication: AdjudicationArgs,

    /// What is kept of the moves.
    #[command(flatten)]
    pub pgn: PgnArgs,
}

impl PlayingArgs {
    /// The configuration of the run, with this book and `default_games` games unless `--games` says otherwise; still without
    /// engines, and with a concurrency of 1. Also the Syzygy tablebases, if they adjudicate.
    pub fn run_config(
        &self,
        book: BookConfig,
        default_games: u32,
    ) -> anyhow::Result<(RunConfig, Option<TablebaseAdjudicator>)> {
        self.run_config_or(book, default_games, &Adjudication::default())
    }

    /// The same with the `usual` adjudication of scores where no option names one.
    pub fn run_config_or(
        &self,
        book: BookConfig,
        default_games: u32,
        usual: &Adjudication,
    ) -> anyhow::Result<(RunConfig, Option<TablebaseAdjudicator>)> {
        let (adjudication, tables) = self.adjudication.with_tables(usual)?;
        let config = RunConfig {
            affinity: self.pacing.affinity(),
            idle_engines: self.pacing.idle_engines(),
            variant: self.openings.variant(),
            time_margin: self.limits.time_margin(),
            clock: self.limits.clock(),
            limits: self.limits.search_limits()?,
            ponder: self.limits.ponder(),
            position: self.pacing.position(),
            allow_unknown: self.pacing.allow_unknown(),
            adjudication,
            pgn: self.pgn.pgn(),
            made: Some(machine::made_now()),
            ..RunConfig::of(self.pacing.games(default_games)?, book, Vec::new())
        };
        Ok((config, tables))
    }
}

/// The options under "PGN".
#[derive(Debug, Args)]
#[command(next_help_heading = "PGN")]
pub struct PgnArgs {
    /// Fields in games.pgn beside moves and scores: depth, seldepth, nodes, nps, hashfull, tbhits, time, timeleft,
    /// latency, pv, start, or none [default: depth; with a clock also time and start]
    #[arg(long, value_name = "FIELD,…")]
    pgn_fields: Option<PgnFields>,

    /// Behind each move, write the last line of its search that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pgn_match_line: Vec<String>,
}

impl PgnArgs {
    /// What was asked for.
    pub fn pgn(&self) -> PgnConfig {
        PgnConfig { fields: self.pgn_fields.clone(), match_lines: self.pgn_match_line.clone() }
    }
}
