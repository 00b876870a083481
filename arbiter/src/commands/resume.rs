//! `arbiter resume DIR`: a run, a history, an ablation or a search for a commit continues where it was interrupted.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{Blame, CliResult};
use crate::files::StateFile;
use crate::judge::ablate::{self, AblationPlan, TableFormat};
use crate::judge::bisect::{self, BisectState};
use crate::judge::history::{self, HistoryPlan};
use crate::options::ConclusionArgs;
use crate::run::playing;

/// The arguments of `arbiter resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Folder of a run, a history, an ablation or a bisect
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
            return ablate::continue_in(&self.folder, TableFormat::default(), self.conclusion);
        }
        if BisectState::path(&self.folder).is_file() {
            let state = BisectState::read(&self.folder).usage()?;
            return bisect::run(&self.folder, state);
        }
        playing::resume(&self.folder, self.conclusion)
    }
}
