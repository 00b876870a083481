//! What bounds the searches of a game.

use std::time::Duration;

use clap::Args;

use super::move_limits::MoveLimitArgs;
use runner::{SearchLimits, TimeControl};

/// The options under "Limits".
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Time control: seconds+increment, moves/seconds+increment or minutes:seconds+increment [default: 10+0.1]
    #[arg(long, value_name = "TC", conflicts_with = "movetime", allow_negative_numbers = true)]
    tc: Option<TimeControl>,

    #[command(flatten)]
    per_move: MoveLimitArgs,

    /// Milliseconds that an engine may overstep its clock before it loses on time
    #[arg(long = "timemargin", value_name = "MS", default_value_t = 0)]
    time_margin: u64,

    /// Let engines ponder: think on the opponent's time
    #[arg(long)]
    ponder: bool,
}

impl LimitArgs {
    /// The limits given, or the usual time control when none was.
    ///
    /// # Errors
    /// They do not go together.
    pub fn search_limits(&self) -> anyhow::Result<SearchLimits> {
        let mut limits = SearchLimits { clock: self.tc.clone(), ..self.per_move.limits() };
        if limits == SearchLimits::default() {
            limits.clock = Some("10+0.1".parse()?);
        }
        limits.validate()?;
        Ok(limits)
    }

    /// The limits per move alone, as they were given.
    pub fn per_move(&self) -> SearchLimits {
        self.per_move.limits()
    }

    /// Whether engines think on their opponents' time.
    pub fn ponder(&self) -> bool {
        self.ponder
    }

    /// By how much a clock may be overstepped.
    pub fn time_margin(&self) -> Duration {
        Duration::from_millis(self.time_margin)
    }
}
