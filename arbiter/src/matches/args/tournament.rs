//! Who meets whom.

use anyhow::bail;
use clap::Args;

use runner::Format;

/// The options under "Tournament".
#[derive(Debug, Args)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArgs {
    /// Who meets whom: round-robin, gauntlet[,challengers=N], or knockout[,extra-pairs=N]
    ///
    /// In a gauntlet the first N engines (1) meet all others. In a knockout the engines are seeded in the order given,
    /// --games is for each tie, and a level tie is prolonged by up to N pairs (3); after them the better seed goes on.
    #[arg(long, value_name = "FORMAT", default_value_t)]
    format: Format,
}

impl TournamentArgs {
    /// The format for so many engines.
    ///
    /// # Errors
    /// There are not enough engines for it, or a sequential test does not go with it.
    pub fn format(&self, engines: usize, has_test: bool) -> anyhow::Result<Format> {
        match self.format {
            Format::Gauntlet { challengers } if challengers >= engines => {
                bail!("--format {}: expected more than {challengers} engines, found {engines}", self.format)
            }
            Format::Knockout { .. } if has_test => {
                bail!("--format {}: a sequential test needs a round robin of two engines", self.format)
            }
            format => Ok(format),
        }
    }
}
