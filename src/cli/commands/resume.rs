//! `arbiter resume DIR`: a run, a history or a search for a commit goes on where it was interrupted.

use std::path::PathBuf;

use clap::Args;

use super::history;
use crate::cli::error::Blame;
use crate::cli::error::CliResult;
use crate::cli::match_args::ConclusionArgs;
use crate::cli::play;
use crate::cli::versions::{self, BisectState, HistoryPlan};

/// The arguments of `arbiter resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder, or that of a history or a bisect
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    conclusion: ConclusionArgs,
}

impl ResumeArgs {
    /// Plays the games that are missing.
    pub fn run(self) -> CliResult {
        if HistoryPlan::path(&self.folder).is_file() {
            return history::play(&self.folder, self.conclusion);
        }
        if BisectState::path(&self.folder).is_file() {
            let state = BisectState::read(&self.folder).usage()?;
            return versions::search(&self.folder, state);
        }
        play::resume(&self.folder, self.conclusion)
    }
}
