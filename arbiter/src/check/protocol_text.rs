//! `arbiter check`: the findings about an engine, for people.

use crate::check::protocol::{Finding, Verdict};
use crate::text::Tone;

/// The longest name of a check.
const NAME: usize = 24;

/// Writes findings as lines of a table.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolText {
    /// Whether colours may be used.
    pub colour: bool,
}

impl ProtocolText {
    /// One line for a finding, or two where the engine's own words are long.
    pub fn finding(self, finding: &Finding) -> String {
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

    /// The last line: how many of each kind there are.
    pub fn total(self, findings: &[Finding]) -> String {
        let count = |verdict| findings.iter().filter(|finding| finding.outcome.verdict == verdict).count();
        let [failed, warned] = [Verdict::Fail, Verdict::Warn].map(count);
        let counts = format!("{} passed, {warned} odd, {failed} failed", count(Verdict::Pass));
        let tone = Tone::of_faults(failed as u64);
        format!("  {}", tone.paint(&counts, self.colour))
    }
}
