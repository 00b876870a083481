//! `arbiter run FILE`: a run that is described by a file.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::books::AskedBy;
use super::books::Changed;
use super::run_file::RunFile;
use super::{books, playing};
use crate::cli::{Blame, CliResult, console};
use crate::matches::args::ConclusionArgs;
use runner::RunPlan;

/// The arguments of `arbiter run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The file, or a run folder that holds run.toml; relative paths in it are relative to the current folder
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The run folder; it must not exist yet [default: results/<date>-<engines>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Games played at once, in place of what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    #[command(flatten)]
    conclusion: ConclusionArgs,

    /// Use programs and book as they are now, even if they are not those whose SHA-256 the file has
    #[arg(long)]
    accept_changed: bool,
}

impl RunArgs {
    /// Plays the run from its beginning.
    pub fn run(self) -> CliResult {
        let file = RunFile::read(&self.file).usage()?;
        self.out.as_deref().map_or(Ok(()), playing::check_out).usage()?;
        let changed = if self.accept_changed { Changed::Accepted } else { Changed::Refused };
        let resolved = file.resolve(changed, &mut console::announce_build);
        let mut config = resolved.with_context(|| self.file.display().to_string()).usage()?;
        config.concurrency = self.concurrency.map_or(config.concurrency, usize::from);
        let mut plan = RunPlan::new(config).usage()?;
        let book = books::load(&plan.config().book, plan.config().variant, AskedBy::File);
        let book = book.with_context(|| self.file.display().to_string()).usage()?;
        playing::introduce(&mut plan).usage()?;
        playing::start(plan, book, self.out.as_deref(), self.conclusion)
    }
}
