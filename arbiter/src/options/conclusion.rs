//! What happens when a run is over.

use clap::Args;

/// The options about the end of a run, the same for every command that plays one.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ConclusionArgs {
    /// Exit with code 4 if an engine crashes, stalls or plays an illegal move
    #[arg(long)]
    strict: bool,

    /// Do not write report.html; `arbiter report DIR` writes it later
    #[arg(long)]
    no_report: bool,
}

impl ConclusionArgs {
    /// Whether an engine that breaks decides the exit code.
    pub fn strict(self) -> bool {
        self.strict
    }

    /// Whether the page about the run is written.
    pub fn report(self) -> bool {
        !self.no_report
    }
}
