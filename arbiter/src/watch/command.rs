//! `arbiter watch DIR`: the games of a run in the browser.

use std::path::PathBuf;

use clap::Args;

use super::exhibition::Exhibition;
use super::journal_source::JournalSource;
use super::routes::routes;
use super::show::Show;
use crate::cli::{Blame, CliResult};
use crate::web::PageArgs;

/// The arguments of `arbiter watch`.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    page: PageArgs,
}

impl WatchArgs {
    /// Shows the run until it is told to end. Nothing in the folder is changed.
    pub fn run(self) -> CliResult {
        let mut journal = JournalSource::open(&self.folder).usage()?;
        let exhibition = Exhibition::begin(&self.folder, &mut journal).usage()?;
        let show = Show::begin(exhibition, journal).fault()?;
        self.page.serve(routes(show))
    }
}
