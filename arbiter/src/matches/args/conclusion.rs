//! What happens when a run is over.

use clap::Args;

/// The options about the end of a run, the same for every command that plays one.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ConclusionArgs {
    /// Exit with 4 when an engine crashes, stalls, or plays an illegal move
    #[arg(long)]
    strict: bool,

    /// Leave out report.html at the end; `arbiter report DIR` makes it at any time
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
