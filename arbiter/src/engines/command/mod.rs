//! `arbiter engines`: the engines that have a manifest, and the builds of their revisions.

mod build;
mod check;
mod clean;
mod list;

use clap::{Args, Subcommand};

use crate::cli::CliResult;

/// The arguments of `arbiter engines`.
#[derive(Debug, Args)]
pub struct EnginesArgs {
    #[command(subcommand)]
    task: Option<Task>,
}

/// What is to be done with them.
#[derive(Debug, Subcommand)]
enum Task {
    /// List the manifests and the builds in the cache; the same as no command.
    List(list::ListArgs),
    /// Build engines, so that nothing has to wait for it later.
    Build(build::BuildArgs),
    /// Check manifests: that they are valid, that the program is there and speaks UCI, and that it has the options.
    Check(check::CheckArgs),
    /// Remove builds of revisions from the cache; never one in use.
    Clean(clean::CleanArgs),
}

impl EnginesArgs {
    /// Does it.
    pub fn run(self) -> CliResult {
        match self.task {
            None => list::ListArgs::default().run(),
            Some(Task::List(args)) => args.run(),
            Some(Task::Build(args)) => args.run(),
            Some(Task::Check(args)) => args.run(),
            Some(Task::Clean(args)) => args.run(),
        }
    }
}
