//! `arbiter resume DIR`: a run, a history, an ablation or a search for a commit goes on where it was interrupted.

use std::path::PathBuf;

use clap::Args;

use super::history;
use crate::cli::ablation::{self, AblationPlan, TableFormat};
use crate::cli::error::{Blame, CliResult};
use crate::cli::match_args::ConclusionArgs;
use crate::cli::play;
use crate::cli::versions::{self, BisectState, HistoryPlan};

/// The arguments of `arbiter resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder, or that of a history, an ablation or a bisect
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
        if AblationPlan::path(&self.folder).is_file() {
            return ablation::carry_on(&self.folder, TableFormat::default(), self.conclusion);
        }
        if BisectState::path(&self.folder).is_file() {
            let state = BisectState::read(&self.folder).usage()?;
            return versions::search(&self.folder, state);
        }
        play::resume(&self.folder, self.conclusion)
    }
}
