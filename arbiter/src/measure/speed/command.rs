//! `arbiter speed ENGINE…`: compares the NPS of engines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use super::measurement::start_and_compare;
use super::report::SpeedText;
use super::suite::SpeedPlan;
use super::suite::SpeedSuite;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::options::MoveLimitArgs;
use runner::SearchLimits;
use uci::Go;

/// The duration of all searches of a round without a limit. Restarts of the engines take some seconds more.
const DURATION: Duration = Duration::from_secs(27);

/// The arguments of `arbiter speed`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without a limit, each search has the nodes of about 25 ms, and a round takes about 30 s."
)]
pub struct SpeedArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…; the first is compared with each other one
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// The positions, an EPD file or a shipped one; may be repeated [default: all shipped files]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Number of times each position is searched; more rounds narrow the error bars
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl SpeedArgs {
    /// Measures and prints.
    pub fn run(self) -> CliResult {
        let positions = SpeedSuite::read_positions(&self.suite).usage()?;
        let configs = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        sessions::introduce_all(&configs).usage()?;
        let duration = DURATION * self.rounds;
        let plan = SpeedPlan { positions, go: self.go(), duration, rounds: self.rounds };
        let bar = ProgressBar::no_length();
        let report = start_and_compare(&configs, &plan, |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        })
        .usage()?;
        bar.finish_and_clear();
        let mut out = stdout();
        if self.json {
            let text = serde_json::to_string_pretty(&report).fault()?;
            writeln!(out, "{text}").fault()?;
        } else {
            write!(out, "{}", SpeedText::new(&report, console::wants_colour(&io::stdout()))).fault()?;
        }
        Ok(ExitCode::Done)
    }

    fn go(&self) -> Option<Go> {
        let limits = self.limits.limits();
        (limits != SearchLimits::default()).then(|| limits.go())
    }
}
