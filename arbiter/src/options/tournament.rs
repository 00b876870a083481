//! Who meets whom.

use anyhow::bail;
use clap::Args;

use crate::engines::EngineSpec;
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

    /// The engine that all others play, but not each other; with --sprt each of them has a test against it
    ///
    /// The same as `--format gauntlet,challengers=N` with this engine named last. The tests share --alpha: it is the
    /// probability that any engine is accepted that is no better. An engine with a verdict plays no more.
    #[arg(long, value_name = "ENGINE", conflicts_with = "format")]
    base: Option<EngineSpec>,

    /// With several tests: stop when one accepts H1
    #[arg(long, requires = "sprt")]
    stop_at_first: bool,
}

impl TournamentArgs {
    /// The engine that all others play, if there is one.
    pub const fn base(&self) -> Option<&EngineSpec> {
        self.base.as_ref()
    }

    /// Whether the first H1 of several tests ends the run.
    pub const fn stop_at_first(&self) -> bool {
        self.stop_at_first
    }

    /// The format for `engines` engines, the base among them.
    pub fn format(&self, engines: usize, has_test: bool) -> anyhow::Result<Format> {
        if self.base.is_some() {
            return Ok(Format::Gauntlet { challengers: engines - 1 });
        }
        match self.format {
            Format::RoundRobin if has_test && engines > 2 => bail!(
                "--sprt: expected two engines, or more and --base ENGINE to test them against; found {engines}"
            ),
            Format::Gauntlet { challengers } if challengers >= engines => {
                bail!("--format {}: expected more than {challengers} engines, found {engines}", self.format)
            }
            Format::Knockout { .. } if has_test => {
                bail!("--format {}: --sprt needs a match of two engines or a gauntlet", self.format)
            }
            format => Ok(format),
        }
    }
}
