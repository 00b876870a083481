//! What bounds the searches of a game.

use std::time::Duration;

use clap::{Args, ValueEnum};

use runner::process::ClockKind;
use runner::{SearchLimits, TimeControl};

/// `--clock`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockArg {
    /// How long an engine takes.
    Wall,
    /// How long it works: a busy machine takes none of its time.
    Cpu,
}

impl From<ClockArg> for ClockKind {
    fn from(clock: ClockArg) -> ClockKind {
        match clock {
            ClockArg::Wall => ClockKind::Wall,
            ClockArg::Cpu => ClockKind::Cpu,
        }
    }
}

/// The options under "Limits".
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Time control: seconds+increment, moves/seconds+increment or minutes:seconds+increment [default: 10+0.1]
    #[arg(long, value_name = "TC", conflicts_with = "movetime", allow_negative_numbers = true)]
    tc: Option<TimeControl>,

    #[command(flatten)]
    per_move: MoveLimitArgs,

    /// Which time counts: the wall's, or the processor time of the engine, which a busy machine takes nothing of (Linux)
    #[arg(long, value_enum, default_value_t = ClockArg::Wall)]
    clock: ClockArg,

    /// Milliseconds that an engine may overstep its clock before it loses on time
    #[arg(long = "timemargin", value_name = "MS", default_value_t = 0)]
    time_margin: u64,

    /// Let engines ponder: think on the opponent's time
    #[arg(long)]
    ponder: bool,
}

impl LimitArgs {
    /// The limits given, or the usual time control when none was.
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

    /// Which time counts.
    pub fn clock(&self) -> ClockKind {
        self.clock.into()
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
