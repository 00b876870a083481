//! `arbiter check ENGINE`: checks that an engine follows the UCI protocol.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::EngineSpec;
use crate::measure::check::clock_check::check_clock;
use crate::measure::check::protocol::{Finding, Verdict, check_protocol};
use crate::measure::evidence::{self, MeasureError};
use crate::options::ClockArg;
use crate::text::Tone;

/// The length of the longest name of a check.
const NAME: usize = 24;

/// The arguments of `arbiter check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// Check instead whether this clock can be its time in a match: alone, beside load, and stopped in a search
    #[arg(long, value_enum)]
    clock: Option<ClockArg>,

    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    engine: &'a str,
    findings: &'a [Finding],
}

impl CheckArgs {
    /// Checks the engine and prints each finding at once.
    pub fn run(self) -> CliResult {
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        // What the user can mend is no finding; an engine that breaks is.
        match evidence::introduce(&engine) {
            Ok(session) => session.quit(),
            Err(MeasureError::Usage(error)) => return Err(CliError::Usage(error)),
            Err(MeasureError::EngineFault(_)) => {}
        }
        let options: Vec<_> =
            engine.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect();
        let mut out = stdout();
        let text = ProtocolText { colour: console::wants_colour(&io::stdout()) };
        let show = |finding: &Finding| {
            if !self.json {
                // The last line reports a closed pipe.
                let _ = writeln!(out, "{}", text.finding(finding));
            }
        };
        let findings = match self.clock {
            Some(ClockArg::Cpu) => check_clock(&engine, show).usage()?,
            Some(ClockArg::Wall) | None => check_protocol(&engine.command(), &options, show).fault()?,
        };
        if self.json {
            let report = Report { schema: 1, engine: &engine.name, findings: &findings };
            writeln!(out, "{}", serde_json::to_string_pretty(&report).fault()?).fault()?;
        } else {
            writeln!(out, "\n{}", text.total(&findings)).fault()?;
        }
        let has_failed = findings.iter().any(|finding| finding.outcome.verdict == Verdict::Fail);
        Ok(if has_failed { ExitCode::EngineBroke } else { ExitCode::Done })
    }
}

/// Writes findings as lines of a table.
#[derive(Clone, Copy, Debug)]
struct ProtocolText {
    /// Whether colours may be used.
    colour: bool,
}

impl ProtocolText {
    /// One line for a finding, or two where the observation is long.
    fn finding(self, finding: &Finding) -> String {
        const SHORT: usize = 32;
        let Finding { check, outcome } = finding;
        let (mark, tone) = match outcome.verdict {
            Verdict::Skip => ("-", Tone::Faint),
            Verdict::Pass => ("✓", Tone::Good),
            Verdict::Warn => ("!", Tone::Strong),
            Verdict::Fail => ("✗", Tone::Bad),
        };
        let mark = tone.paint(mark, self.colour);
        let line = format!("  {mark} {check:<NAME$}  {}", outcome.sentence);
        match &outcome.seen {
            None => line,
            Some(seen) if seen.chars().count() <= SHORT => {
                format!("{line} {}", Tone::Faint.paint(&format!("({seen})"), self.colour))
            }
            Some(seen) => {
                format!("{line}\n    {:<NAME$}  {}", "", Tone::Faint.paint(seen, self.colour))
            }
        }
    }

    /// The last line: the number of findings of each kind.
    fn total(self, findings: &[Finding]) -> String {
        let count = |verdict| findings.iter().filter(|finding| finding.outcome.verdict == verdict).count();
        let [failed, warned] = [Verdict::Fail, Verdict::Warn].map(count);
        let counts = format!("{} passed, {warned} warnings, {failed} failed", count(Verdict::Pass));
        let tone = Tone::of_faults(failed as u64);
        format!("  {}", tone.paint(&counts, self.colour))
    }
}
