//! Which games are cut short.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::files::recorded_path;
use runner::{Adjudication, DrawRule, ResignRule, SyzygyRule, TableJudge};

/// The options under "Adjudication".
#[derive(Debug, Args)]
#[command(next_help_heading = "Adjudication")]
pub struct AdjudicationArgs {
    /// Call a game a draw when from a move on both engines report little for a while: move=40,count=8,score=10
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,

    /// Let an engine resign that reports itself lost for a while: count=3,score=600; with twosided=true only when the
    /// other one agrees
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,

    /// Call a game a draw after this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,

    /// End games by Syzygy tables (WDL) in these folders, separated as in PATH
    #[arg(long, value_name = "PATH[:PATH]")]
    syzygy: Option<OsString>,

    /// Look up positions with at most this many pieces, kings included
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(3..=7), requires = "syzygy")]
    syzygy_pieces: u8,

    /// Count wins that the fifty-move rule would frustrate
    #[arg(long, requires = "syzygy")]
    syzygy_ignore_50: bool,
}

impl AdjudicationArgs {
    /// The rules given.
    ///
    /// # Errors
    /// A folder of tables does not exist, has no tables, or one that is broken.
    pub fn adjudication(&self) -> anyhow::Result<Adjudication> {
        Ok(self.with_tables()?.0)
    }

    /// The same with the tables that were opened to check them, for a run that is played at once.
    ///
    /// # Errors
    /// As [`adjudication`](Self::adjudication).
    pub fn with_tables(&self) -> anyhow::Result<(Adjudication, Option<TableJudge>)> {
        let rules = Adjudication {
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            syzygy: self.syzygy()?,
        };
        let tables = rules.open_tables().context("--syzygy")?;
        Ok((rules, tables))
    }

    fn syzygy(&self) -> anyhow::Result<Option<SyzygyRule>> {
        let Some(paths) = &self.syzygy else { return Ok(None) };
        let folders: Result<Vec<PathBuf>, _> =
            env::split_paths(paths).map(|folder| recorded_path::of(&folder)).collect();
        Ok(Some(SyzygyRule {
            folders: folders.context("--syzygy")?,
            pieces: usize::from(self.syzygy_pieces),
            ignore_50: self.syzygy_ignore_50,
        }))
    }
}
