//! `arbiter watch DIR`: the games of a run, live in the browser.

use std::path::PathBuf;

use clap::Args;

use super::journal_source::JournalSource;
use super::live_run::LiveRun;
use super::routes::routes;
use super::run_follower::RunFollower;
use crate::cli::{Blame, CliResult};
use crate::web::PageArgs;

/// The arguments of `arbiter watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    page: PageArgs,
}

impl WatchArgs {
    /// Serves the page until Ctrl-C. Nothing in the folder is changed.
    pub fn run(self) -> CliResult {
        let mut journal = JournalSource::open(&self.folder).usage()?;
        let run = LiveRun::begin(&self.folder, &mut journal).usage()?;
        let run = RunFollower::begin(run, journal).fault()?;
        self.page.serve(routes(run))
    }
}
