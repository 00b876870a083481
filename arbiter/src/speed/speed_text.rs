//! The node speeds as a table and a sentence.

use std::fmt;

use super::comparison::DepthRace;
use super::engine_speed::{EngineSpeed, HardwareByNode};
use super::report::SpeedReport;
use crate::text::number_text::thousands;
use crate::text::{Table, Tone};
use stats::{PairedRatio, SpeedVerdict};

/// Shows a [`SpeedReport`] to people.
#[derive(Clone, Debug)]
pub struct SpeedText<'a> {
    report: &'a SpeedReport,
    colour: bool,
}

impl<'a> SpeedText<'a> {
    /// With or without colours.
    pub fn new(report: &'a SpeedReport, colour: bool) -> SpeedText<'a> {
        SpeedText { report, colour }
    }
}

impl fmt::Display for SpeedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let mut table = Table::new([
            "",
            "Nodes/s",
            "of CPU time",
            "Time",
            "User",
            "System",
            "Depth",
            "Hash full",
            "Memory",
        ]);
        for engine in &report.engines {
            table.row(cells(engine).map(|text| (text, Tone::Plain)));
        }
        write!(f, "{}", table.text(self.colour))?;
        self.write_hardware(f)?;
        let (positions, rounds) = (report.positions, report.rounds);
        let rounds = if rounds == 1 { String::new() } else { format!(", {rounds} rounds") };
        writeln!(f, "\n  {positions} positions{rounds}, `{}`", report.limit)?;
        for comparison in &report.comparisons {
            let [first, other] = [0, comparison.engine].map(|index| report.engines[index].name.as_str());
            if let Some(ratio) = comparison.nodes_per_second() {
                writeln!(f, "  {}", verdict(first, other, ratio, "by nodes per second"))?;
            }
            if let Some(DepthRace { mean_depth, time, nodes }) = &comparison.to_depth {
                let changed = |ratio: &PairedRatio| {
                    let [middle, low, high] =
                        [ratio.ratio, ratio.upper, ratio.lower].map(|ratio| (ratio.recip() - 1.0) * 100.0);
                    format!("{middle:+.1}% ({low:+.1} to {high:+.1})")
                };
                writeln!(
                    f,
                    "  to the same depth, {mean_depth:.1} plies in the mean, {first} needs {} time and {} nodes",
                    changed(time),
                    changed(nodes)
                )?;
            }
        }
        report.doubts().iter().try_for_each(|doubt| {
            let line = format!("warning: {doubt}");
            writeln!(f, "  {}", Tone::Bad.paint(&line, self.colour))
        })
    }
}

impl SpeedText<'_> {
    /// What the processor did for a node, or that nobody counts.
    fn write_hardware(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |engine: &EngineSpeed| engine.hardware.is_some();
        if !self.report.engines.iter().any(counted) {
            return writeln!(f, "  no hardware counters: the system has none or keeps them to itself");
        }
        let mut table =
            Table::new(["By the node", "Instructions", "Cycles", "Branch misses", "Cache misses"]);
        for engine in &self.report.engines {
            let events = engine.hardware.map(
                |HardwareByNode { instructions, cycles, branch_misses, cache_misses }| {
                    [
                        format!("{instructions:.1}"),
                        format!("{cycles:.1}"),
                        format!("{branch_misses:.3}"),
                        format!("{cache_misses:.3}"),
                    ]
                },
            );
            let events = events.unwrap_or_else(|| ["?"; 4].map(str::to_owned));
            table.row(std::iter::once(engine.name.clone()).chain(events).map(|text| (text, Tone::Plain)));
        }
        write!(f, "\n{}", table.text(self.colour))
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

/// `new is 3.1% faster than old by nodes per second, 95% between 2.6% and 3.7%`.
fn verdict(first: &str, other: &str, ratio: &PairedRatio, by: &str) -> String {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let [low, high] = [ratio.lower, ratio.upper].map(percent);
    let size = percent(ratio.ratio).abs();
    match ratio.verdict() {
        SpeedVerdict::Faster => {
            format!("{first} is {size:.1}% faster than {other} {by}, 95% between {low:.1}% and {high:.1}%")
        }
        SpeedVerdict::Slower => {
            format!(
                "{first} is {size:.1}% slower than {other} {by}, 95% between {:.1}% and {:.1}%",
                -high, -low
            )
        }
        SpeedVerdict::NoDifference => {
            format!("{first} and {other} do not differ {by}: 95% between {low:+.1}% and {high:+.1}%")
        }
        SpeedVerdict::TooNoisy => {
            format!(
                "too noisy to say whether {first} and {other} differ {by}: 95% between {low:+.1}% and {high:+.1}%"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_says_which_is_faster_or_that_nobody_can_tell() {
        let ratio = |ratio, lower, upper| {
            let is_sure = !(0.99..=1.01).contains(&ratio);
            PairedRatio { ratio, lower, upper, is_sure }
        };
        let say = |ratio| verdict("new", "old", &ratio, "by nodes per second");
        assert_eq!(
            say(ratio(1.031, 1.026, 1.037)),
            "new is 3.1% faster than old by nodes per second, 95% between 2.6% and 3.7%"
        );
        assert_eq!(
            say(ratio(0.98, 0.97, 0.99)),
            "new is 2.0% slower than old by nodes per second, 95% between 1.0% and 3.0%"
        );
        assert_eq!(
            say(ratio(1.001, 0.997, 1.004)),
            "new and old do not differ by nodes per second: 95% between -0.3% and +0.4%"
        );
        assert_eq!(
            say(ratio(1.001, 0.98, 1.03)),
            "too noisy to say whether new and old differ by nodes per second: 95% between -2.0% and +3.0%"
        );
    }
}
