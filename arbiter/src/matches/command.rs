//! `arbiter match ENGINE ENGINE…`: engines play each other.

use anyhow::bail;
use clap::Args;

use super::books::AskedBy;
use super::{books, machine, playing};
use crate::cli::{Blame, CliResult, console};
use crate::engines;
use crate::engines::EngineSpec;
use crate::matches::args::{
    AdjudicationArgs, LimitArgs, OpeningArgs, PacingArgs, PgnArgs, SequentialTestArgs, TournamentArgs,
};
use runner::RunConfig;
use stats::Sprt;

/// The arguments of `arbiter match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…
    ///
    /// In small letters, tc=, movetime=, nodes= and depth= are no options but limits of this engine alone, in place of
    /// those of the match: tarrasch:Hash=64,tc=5+0.05
    ///
    /// NAME is a manifest, engines/NAME/engine.toml, or a program on the search path. NAME@REV builds a git revision
    /// of the manifest's repository. The first engine is the one that results are about; more than two play a round
    /// robin, or another --format.
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    pacing: PacingArgs,

    #[command(flatten)]
    tournament: TournamentArgs,

    #[command(flatten)]
    sequential_test: SequentialTestArgs,

    #[command(flatten)]
    openings: OpeningArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    #[command(flatten)]
    pgn: PgnArgs,
}

impl MatchArgs {
    /// Plays the match.
    pub fn run(self) -> CliResult {
        self.check_engine_count().usage()?;
        let limits = self.limits.search_limits().usage()?;
        let sprt = self.sprt().usage()?;
        let format = self.tournament.format(self.engines.len(), sprt.is_some()).usage()?;
        let games = self.pacing.games(sprt.is_some()).usage()?;
        self.pacing.out().map_or(Ok(()), playing::check_out).usage()?;
        let adjudication = self.adjudication.adjudication().usage()?;
        let variant = self.openings.variant();
        let book = books::configure(self.openings.wish()).usage()?;
        let opened = books::load(&book, variant, AskedBy::Option).usage()?;
        let engines = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        let mut config = RunConfig {
            format,
            concurrency: self.pacing.concurrency(&engines, self.limits.ponder()).usage()?,
            affinity: self.pacing.affinity(),
            idle_engines: self.pacing.idle_engines(),
            variant,
            margin: self.limits.margin(),
            limits,
            ponder: self.limits.ponder(),
            adjudication,
            pgn: self.pgn.pgn(),
            sprt,
            made: Some(machine::made_now()),
            ..RunConfig::of(games, book, engines)
        };
        playing::introduce(&mut config).usage()?;
        playing::start(&config, opened, self.pacing.out(), self.pacing.conclusion())
    }

    /// Engines may stand between options, which a minimum of values in the parser would not allow.
    fn check_engine_count(&self) -> anyhow::Result<()> {
        match self.engines.len() {
            0 | 1 => bail!("ENGINE: expected at least two engines to play each other, found one"),
            _ => Ok(()),
        }
    }

    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let sprt = self.sequential_test.sprt()?;
        if sprt.is_some() && self.engines.len() != 2 {
            bail!("--sprt: expected two engines, found {}", self.engines.len());
        }
        Ok(sprt)
    }
}
