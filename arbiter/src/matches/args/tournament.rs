//! Who meets whom.

use anyhow::bail;
use clap::Args;

use runner::Format;

/// The options under "Tournament".
#[derive(Debug, Args)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArgs {
    /// Tournament format: round-robin, gauntlet[,challengers=N] or knockout[,extra-pairs=N]
    ///
    /// Gauntlet: the first N engines (default 1) play all others. Knockout: engines are seeded in the order given,
    /// --games counts for each tie, a level tie gets up to N extra pairs (default 3), then the better seed advances.
    #[arg(long, value_name = "FORMAT", default_value_t)]
    format: Format,
}

impl TournamentArgs {
    /// The format for `engines` engines.
    ///
    /// # Errors
    /// There are not enough engines for it, or a sequential test does not go with it.
    pub fn format(&self, engines: usize, has_test: bool) -> anyhow::Result<Format> {
        match self.format {
            Format::Gauntlet { challengers } if challengers >= engines => {
                bail!("--format {}: expected more than {challengers} engines, found {engines}", self.format)
            }
            Format::Knockout { .. } if has_test => {
                bail!("--format {}: --sprt needs a match of two engines", self.format)
            }
            format => Ok(format),
        }
    }
}
