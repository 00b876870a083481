//! `arbiter speed ENGINE…`: compares the NPS of engines.

use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::comparison::{DepthRace, EngineSpeed, HardwarePerNode, SpeedReport, change_text};
use super::measurement;
use super::speed_plan::SpeedPlan;
use crate::cli::{CliResult, ExitCode, OrExitCode, answer, console};
use crate::engines::{self, EngineSpec, session};
use crate::options::MoveLimitArgs;
use crate::text::number_text::thousands;
use crate::text::{Document, Line, Table, Tone};
use stats::{PairedRatio, SpeedVerdict};

#[derive(Debug, Args)]
#[command(
    after_help = "Without a limit, each search takes about 25 ms: by nodes; by depth if the engine ignores nodes; otherwise by time. A round takes about 30 s, and longer if the engines start slowly."
)]
pub struct SpeedArgs {
    /// Paths, names or NAME@REV; options follow a colon: ./new:Hash=64; the first is compared with each of the others
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

    /// Refuse suites with unusable lines instead of skipping them
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl SpeedArgs {
    pub fn run(self) -> CliResult {
        let plan = SpeedPlan::read(&self.suite, self.strict, &self.limits.limits(), self.rounds).usage()?;
        let configs = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        session::introduce_all(&configs).usage()?;
        let bar = ProgressBar::no_length();
        let report = measurement::measure(&configs, &plan, |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        })
        .usage()?;
        bar.finish_and_clear();
        answer(&report, self.json, SpeedReport::document)?;
        Ok(ExitCode::Done)
    }
}

impl SpeedReport {
    fn document(&self) -> Document {
        let mut document = Document::default();
        let mut table = Table::new([
            "", "NPS", "NPS (CPU time)", "Time", "User", "System", "Depth", "Hashfull", "Memory",
        ]);
        self.engines.iter().for_each(|engine| table.plain(cells(engine)));
        document.table(table);
        if self.engines.iter().any(|engine| engine.hardware.is_some()) {
            document.gap();
            document.table(self.hardware());
        } else {
            document.line("hardware counters: not available on this system");
        }
        document.gap();
        let (positions, rounds) = (self.positions, self.rounds);
        let rounds = if rounds == 1 { String::new() } else { format!(" × {rounds} rounds") };
        document.line(format!("{positions} positions{rounds}, `{}`", self.limit));
        for comparison in &self.comparisons {
            let [first, other] = [0, comparison.engine].map(|index| self.engines[index].name.as_str());
            document.lines(comparison.nodes_per_second().map(|ratio| verdict(first, other, ratio)));
            if let Some(DepthRace { mean_depth, time, nodes }) = &comparison.to_depth {
                let changed = |ratio: &PairedRatio| {
                    let [lower, upper] = [ratio.upper, ratio.lower].map(f64::recip);
                    change_text(&PairedRatio { ratio: ratio.ratio.recip(), lower, upper, ..*ratio })
                };
                document.line(format!(
                    "{first} vs {other} to the same depth (mean {mean_depth:.1}): time {}, nodes {}",
                    changed(time),
                    changed(nodes)
                ));
            }
        }
        if let Some(resolution) = self.resolution {
            let (itself, resolution) = (&self.engines[0].name, resolution * 100.0);
            document.line(format!(
                "resolution: {resolution:.2}% ({itself} against itself; no difference is claimed below)"
            ));
        }
        let warnings = self.warnings().into_iter();
        document.lines(warnings.map(|text| Line::default().and(format!("warning: {text}"), Tone::Bad)));
        document
    }

    fn hardware(&self) -> Table {
        let mut table = Table::new(["Per node", "Instructions", "Cycles", "Branch misses", "Cache misses"]);
        for engine in &self.engines {
            let events = engine.hardware.map(
                |HardwarePerNode { instructions, cycles, branch_misses, cache_misses }| {
                    [
                        format!("{instructions:.1}"),
                        format!("{cycles:.1}"),
                        format!("{branch_misses:.3}"),
                        format!("{cache_misses:.3}"),
                    ]
                },
            );
            let events = events.unwrap_or_else(|| ["?"; 4].map(str::to_owned));
            table.plain(std::iter::once(engine.name.clone()).chain(events));
        }
        table
    }
}

fn cells(engine: &EngineSpeed) -> [String; 9] {
    let known = |value: Option<String>| value.unwrap_or_else(|| "?".to_owned());
    [
        engine.name.clone(),
        thousands(engine.nodes_per_second as u64),
        known(engine.nodes_per_cpu_second.map(|speed| thousands(speed as u64))),
        format!("{:.1} s", engine.wall_seconds),
        known(engine.user_seconds.map(|user| format!("{user:.1} s"))),
        known(engine.cpu_seconds.zip(engine.user_seconds).map(|(cpu, user)| format!("{:.1} s", cpu - user))),
        format!("{:.1}", engine.mean_depth),
        known(engine.hashfull.map(|full| format!("{:.1}%", f64::from(full) / 10.0))),
        known(engine.memory_mb.map(|memory| format!("{memory:.0} MB"))),
    ]
}

/// The verdict, such as `NPS of new vs old: +3.1% (95%: +2.6% to +3.7%), faster`.
fn verdict(first: &str, other: &str, ratio: &PairedRatio) -> String {
    let verdict = match ratio.verdict() {
        SpeedVerdict::Faster => "faster",
        SpeedVerdict::Slower => "slower",
        SpeedVerdict::NoDifference => "no difference",
        SpeedVerdict::TooNoisy => "too noisy for a verdict",
    };
    format!("NPS of {first} vs {other}: {}, {verdict}", change_text(ratio))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_says_faster_slower_no_difference_or_too_noisy() {
        let ratio = |ratio, lower, upper| {
            let is_sure = !(0.99..=1.01).contains(&ratio);
            PairedRatio { ratio, lower, upper, is_sure }
        };
        for (ratio, said) in [
            (ratio(1.031, 1.026, 1.037), "+3.1% (95%: +2.6% to +3.7%), faster"),
            (ratio(0.98, 0.97, 0.99), "-2.0% (95%: -3.0% to -1.0%), slower"),
            (ratio(1.001, 0.997, 1.004), "+0.1% (95%: -0.3% to +0.4%), no difference"),
            (ratio(1.001, 0.98, 1.03), "+0.1% (95%: -2.0% to +3.0%), too noisy for a verdict"),
        ] {
            assert_eq!(verdict("new", "old", &ratio), format!("NPS of new vs old: {said}"));
        }
    }
}
