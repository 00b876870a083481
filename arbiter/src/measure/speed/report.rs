//! The result of a speed measurement.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::comparison::{DepthRace, SpeedComparison};
use super::comparison::{EngineSpeed, HardwarePerNode};
use crate::text::number_text::thousands;
use crate::text::{Table, Tone};
use stats::{PairedRatio, SpeedVerdict};

/// An engine with less CPU time than this share of the wall time shared its core with other work.
const OWN_CORE_SHARE: f64 = 0.95;

/// The speeds of the engines. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedReport {
    /// The version of this format.
    pub schema: u32,
    /// The `go` command of every search.
    pub limit: String,
    /// Number of positions.
    pub positions: usize,
    /// Number of rounds.
    pub rounds: u32,
    /// The engines in the order given.
    pub engines: Vec<EngineSpeed>,
    /// The comparison of the first engine with each other one.
    pub comparisons: Vec<SpeedComparison>,
}

impl SpeedReport {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The reasons to doubt the result: other work on the machine, or an interval that is too wide.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for engine in &self.engines {
            // An engine with several threads has more CPU time than wall time.
            let share = engine.cpu_seconds.map(|cpu| cpu / engine.wall_seconds);
            if let Some(share) = share.filter(|share| *share < OWN_CORE_SHARE) {
                warnings.push(format!(
                    "{} had a CPU core for only {:.0}% of the time; stop other work on this machine and repeat",
                    engine.name,
                    share * 100.0
                ));
            }
        }
        for comparison in &self.comparisons {
            if comparison.verdict == Some(SpeedVerdict::TooNoisy) {
                warnings.push(format!(
                    "the result vs {} is too noisy to show a difference of 1%; stop other work or use more --rounds",
                    self.engines[comparison.engine].name
                ));
            }
        }
        warnings
    }
}

/// Shows a [`SpeedReport`] to people.
#[derive(Clone, Debug)]
pub struct SpeedText<'a> {
    report: &'a SpeedReport,
    colour: bool,
}

impl<'a> SpeedText<'a> {
    pub fn new(report: &'a SpeedReport, colour: bool) -> SpeedText<'a> {
        SpeedText { report, colour }
    }
}

impl fmt::Display for SpeedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let mut table = Table::new([
            "",
            "NPS",
            "NPS (CPU time)",
            "Time",
            "User",
            "System",
            "Depth",
            "Hashfull",
            "Memory",
        ]);
        for engine in &report.engines {
            table.row(cells(engine).map(|text| (text, Tone::Plain)));
        }
        write!(f, "{}", table.text(self.colour))?;
        self.write_hardware(f)?;
        let (positions, rounds) = (report.positions, report.rounds);
        let rounds = if rounds == 1 { String::new() } else { format!(" × {rounds} rounds") };
        writeln!(f, "\n  {positions} positions{rounds}, `{}`", report.limit)?;
        for comparison in &report.comparisons {
            let [first, other] = [0, comparison.engine].map(|index| report.engines[index].name.as_str());
            if let Some(ratio) = comparison.nodes_per_second() {
                writeln!(f, "  {}", verdict(first, other, ratio))?;
            }
            if let Some(DepthRace { mean_depth, time, nodes }) = &comparison.to_depth {
                let changed = |ratio: &PairedRatio| {
                    let [middle, low, high] =
                        [ratio.ratio, ratio.upper, ratio.lower].map(|ratio| (ratio.recip() - 1.0) * 100.0);
                    format!("{middle:+.1}% (95%: {low:+.1}% to {high:+.1}%)")
                };
                writeln!(
                    f,
                    "  {first} vs {other} to the same depth (mean {mean_depth:.1}): time {}, nodes {}",
                    changed(time),
                    changed(nodes)
                )?;
            }
        }
        report.warnings().iter().try_for_each(|warning| {
            let line = format!("warning: {warning}");
            writeln!(f, "  {}", Tone::Bad.paint(&line, self.colour))
        })
    }
}

impl SpeedText<'_> {
    /// The hardware counters per node, or a line that says that there are none.
    fn write_hardware(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |engine: &EngineSpeed| engine.hardware.is_some();
        if !self.report.engines.iter().any(counted) {
            return writeln!(f, "  hardware counters: not available on this system");
        }
        let mut table = Table::new(["Per node", "Instructions", "Cycles", "Branch misses", "Cache misses"]);
        for engine in &self.report.engines {
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

/// `NPS of new vs old: +3.1% (95%: +2.6% to +3.7%), faster`.
fn verdict(first: &str, other: &str, ratio: &PairedRatio) -> String {
    let [middle, low, high] = [ratio.ratio, ratio.lower, ratio.upper].map(|ratio| (ratio - 1.0) * 100.0);
    let verdict = match ratio.verdict() {
        SpeedVerdict::Faster => "faster",
        SpeedVerdict::Slower => "slower",
        SpeedVerdict::NoDifference => "no difference",
        SpeedVerdict::TooNoisy => "too noisy for a verdict",
    };
    format!("NPS of {first} vs {other}: {middle:+.1}% (95%: {low:+.1}% to {high:+.1}%), {verdict}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::speed::sample_searches::twice;

    #[test]
    fn an_engine_that_had_to_wait_for_a_core_gives_a_warning() {
        let engine = |cpu| EngineSpeed::of("slow", &twice(1000, cpu, 100), None);
        let report = |cpu| SpeedReport {
            schema: SpeedReport::SCHEMA,
            limit: "go nodes 1000".to_owned(),
            positions: 1,
            rounds: 1,
            engines: vec![engine(cpu)],
            comparisons: Vec::new(),
        };
        assert!(report(99).warnings().is_empty());
        assert_eq!(report(80).warnings().len(), 1);
    }
}

#[cfg(test)]
mod speed_text_tests {
    use super::*;

    #[test]
    fn the_verdict_says_faster_slower_no_difference_or_too_noisy() {
        let ratio = |ratio, lower, upper| {
            let is_sure = !(0.99..=1.01).contains(&ratio);
            PairedRatio { ratio, lower, upper, is_sure }
        };
        let say = |ratio| verdict("new", "old", &ratio);
        assert_eq!(say(ratio(1.031, 1.026, 1.037)), "NPS of new vs old: +3.1% (95%: +2.6% to +3.7%), faster");
        assert_eq!(say(ratio(0.98, 0.97, 0.99)), "NPS of new vs old: -2.0% (95%: -3.0% to -1.0%), slower");
        assert_eq!(
            say(ratio(1.001, 0.997, 1.004)),
            "NPS of new vs old: +0.1% (95%: -0.3% to +0.4%), no difference"
        );
        assert_eq!(
            say(ratio(1.001, 0.98, 1.03)),
            "NPS of new vs old: +0.1% (95%: -2.0% to +3.0%), too noisy for a verdict"
        );
    }
}
