//! `arbiter engines`: engines with a manifest, and the builds of their revisions.

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

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Task {
    /// List engines with a manifest, and the builds in the cache (the default).
    List(list::ListArgs),
    /// Build engines ahead of a match.
    Build(build::BuildArgs),
    /// Check manifests: the file is valid, the program exists and speaks UCI, and it has the options.
    Check(check::CheckArgs),
    /// Remove builds of revisions from the cache; builds in use are kept.
    Clean(clean::CleanArgs),
}

impl EnginesArgs {
    /// Runs the command.
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
