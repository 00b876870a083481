//! `arbiter resume DIR`: a run goes on where it was interrupted.

use std::path::PathBuf;

use clap::Args;

use crate::cli::error::CliResult;
use crate::cli::match_args::ConclusionArgs;
use crate::cli::play;

/// The arguments of `arbiter resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    conclusion: ConclusionArgs,
}

impl ResumeArgs {
    /// Plays the games that are missing.
    pub fn run(self) -> CliResult {
        play::resume(&self.folder, self.conclusion)
    }
}
