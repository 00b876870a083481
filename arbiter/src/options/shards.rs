//! Options that play one part of a run and connect it to the other parts.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::PlayedTestArgs;
use runner::{BookOrder, PoolConfig, PoolPlace, RunConfig, Shard};
use stats::Sprt;

/// The game limit of each shard of a pooled sequential test.
const GAMES_OF_POOL: u32 = 4_000_000;

#[derive(Debug, Args)]
#[command(next_help_heading = "Several machines")]
pub struct ShardArgs {
    /// Play shard K of N of the run; `arbiter merge` joins the shards
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// Shared folder for the shards' results; every shard stops when the pooled SPRT reaches a decision
    ///
    /// All machines need access to the folder; a slow network folder is enough. With `-`, a program of yours passes the results on: each
    /// shard prints its own as lines of JSON, and reads the lines of all shards from standard input.
    #[arg(long, value_name = "FOLDER", requires = "shard")]
    pool: Option<PathBuf>,

    /// Command to run instead of using a folder; it reads this shard's result (one line) and prints the results of all shards
    #[arg(long, value_name = "COMMAND", requires = "shard", conflicts_with = "pool")]
    pool_by: Option<String>,

    /// Seconds between two reads of the pool [default: 1, more with many shards; 10 with --pool-by]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pool_every: Option<u32>,
}

impl ShardArgs {
    pub fn part_of(&self, run: RunConfig) -> anyhow::Result<RunConfig> {
        let place = match (&self.pool, &self.pool_by) {
            (Some(folder), _) if folder.as_os_str() == "-" => Some(PoolPlace::Pipe),
            (Some(folder), _) => Some(PoolPlace::Folder(std::path::absolute(folder)?)),
            (None, Some(command)) => Some(PoolPlace::Command(command.clone())),
            (None, None) => None,
        };
        let every = self.pool_every.map(|seconds| Duration::from_secs(seconds.into()));
        let pool = match place.map(|place| PoolConfig { place, every, weights: Vec::new() }).or(run.pool) {
            None if every.is_some() => bail!("--pool-every: expected --pool or --pool-by"),
            Some(pool) if pool.lacks_its_command() => {
                bail!(
                    "`pool`: its command was not saved, since it may hold a token; give it with --pool-by COMMAND"
                )
            }
            pool => pool.map(|pool| PoolConfig { every: every.or(pool.every), ..pool }),
        };
        Ok(RunConfig { shard: self.shard.or(run.shard), pool, ..run })
    }

    /// Refuses a random seed, which the other shards would not share.
    pub fn check_seed(&self, run: &RunConfig, is_seeded: bool) -> anyhow::Result<()> {
        if self.shard.is_some() && !is_seeded && run.book.order != BookOrder::Sequential {
            bail!("--shard: expected --seed, the same for all shards, or they would not be parts of one run");
        }
        Ok(())
    }

    /// The default number of games. With a pool and a test it is so large that no shard runs out before the verdict,
    /// however fast it plays.
    pub fn default_games(&self, test: Option<&Sprt>, on_machines: bool) -> u32 {
        match test {
            Some(_) if on_machines || self.pool.is_some() || self.pool_by.is_some() => GAMES_OF_POOL,
            test => PlayedTestArgs::default_games(test),
        }
    }
}
