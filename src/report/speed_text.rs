//! The node speeds as a table and a sentence.

use std::fmt;

use super::number_text::thousands;
use super::table::Table;
use super::tone::Tone;
use crate::stats::PairedRatio;
use crate::suites::{EngineSpeed, SpeedReport};

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
        let mut table =
            Table::new(["", "Nodes/s", "of CPU time", "Nodes", "Time", "Depth", "Hash full", "Memory"]);
        for engine in &report.engines {
            table.row(cells(engine).map(|text| (text, Tone::Plain)));
        }
        write!(f, "{}", table.text(self.colour))?;
        let (positions, rounds) = (report.positions, report.rounds);
        let rounds = if rounds == 1 { String::new() } else { format!(", {rounds} rounds") };
        writeln!(f, "\n  {positions} positions{rounds}, `{}`", report.limit)?;
        for comparison in &report.comparisons {
            let [first, other] = [0, comparison.engine].map(|index| report.engines[index].name.as_str());
            if let Some(ratio) = comparison.nodes_per_second() {
                writeln!(f, "  {}", verdict(first, other, ratio, "by nodes per second"))?;
            }
            if report.limit.contains("depth")
                && let Some(ratio) = &comparison.time
            {
                writeln!(f, "  {}", verdict(first, other, ratio, "to the same depth"))?;
            }
        }
        report.doubts().iter().try_for_each(|doubt| {
            let line = format!("warning: {doubt}");
            writeln!(f, "  {}", Tone::Bad.paint(&line, self.colour))
        })
    }
}

fn cells(engine: &EngineSpeed) -> [String; 8] {
    let known = |value: Option<String>| value.unwrap_or_else(|| "?".to_owned());
    [
        engine.name.clone(),
        thousands(engine.nodes_per_second as u64),
        known(engine.nodes_per_cpu_second.map(|speed| thousands(speed as u64))),
        thousands(engine.nodes),
        format!("{:.1} s", engine.wall_seconds),
        format!("{:.1}", engine.mean_depth),
        known(engine.hashfull.map(|full| format!("{:.1}%", f64::from(full) / 10.0))),
        known(engine.memory_mb.map(|memory| format!("{memory:.0} MB"))),
    ]
}

/// `new is 3.1% faster than old by nodes per second, 95% between 2.6% and 3.7%`.
fn verdict(first: &str, other: &str, ratio: &PairedRatio, by: &str) -> String {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let [low, high] = [ratio.lower, ratio.upper].map(percent);
    if !ratio.is_clear() {
        return format!("{first} and {other} do not differ {by}: 95% between {low:+.1}% and {high:+.1}%");
    }
    let word = if ratio.ratio > 1.0 { "faster" } else { "slower" };
    let [small, large] = if ratio.ratio > 1.0 { [low, high] } else { [-high, -low] };
    format!(
        "{first} is {:.1}% {word} than {other} {by}, 95% between {small:.1}% and {large:.1}%",
        percent(ratio.ratio).abs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_says_which_is_faster_or_that_nobody_can_tell() {
        let ratio = |ratio, lower, upper| PairedRatio { ratio, lower, upper };
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
    }
}
