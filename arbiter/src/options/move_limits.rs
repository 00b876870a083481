//! What bounds one search: options of `match` and of `tactics`.

use std::time::Duration;

use clap::Args;

use runner::SearchLimits;

/// Limits per move.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct MoveLimitArgs {
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth of each search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl MoveLimitArgs {
    /// The limits given; all empty when none was.
    pub fn limits(&self) -> SearchLimits {
        SearchLimits {
            clock: None,
            movetime: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}
