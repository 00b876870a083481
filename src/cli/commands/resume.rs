//! `arbiter resume DIR`: a run, a history or a search for a commit goes on where it was interrupted.

use std::path::PathBuf;

use clap::Args;

use super::history;
use crate::cli::error::Blame;
use crate::cli::error::CliResult;
use crate::cli::play;
use crate::cli::versions::{self, BisectState, HistoryPlan};

/// The arguments of `arbiter resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder, or that of a history or a bisect
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Exit with 4 when an engine crashes, stalls, or plays an illegal move
    #[arg(long)]
    strict: bool,
}

impl ResumeArgs {
    /// Plays the games that are missing.
    pub fn run(self) -> CliResult {
        if HistoryPlan::path(&self.folder).is_file() {
            return history::play(&self.folder, self.strict);
        }
        if BisectState::path(&self.folder).is_file() {
            let state = BisectState::read(&self.folder).usage()?;
            return versions::search(&self.folder, state);
        }
        play::resume(&self.folder, self.strict)
    }
}
