//! The result on a terminal.

use std::fmt::Write as _;

use super::baseline_changes::{BaselineChange, baseline_changes};
use super::ci_result::CiResult;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};
use crate::text::{Table, Tone};

/// The column of the details.
const INDENT: usize = 15;

/// Formats the result of each step, the differences from the baseline and the verdict.
#[derive(Clone, Copy, Debug)]
pub struct CiText {
    /// Whether colours may be used.
    pub colour: bool,
}

impl CiText {
    /// The lines of one step.
    pub fn step(self, result: &StepResult) -> String {
        let (mark, tone) = mark(result.verdict);
        let mut text =
            format!("  {:<10} {} {}\n", result.step, tone.paint(mark, self.colour), result.sentence);
        for line in &result.details {
            let _ = writeln!(text, "{:INDENT$}{}", "", Tone::Faint.paint(line, self.colour));
        }
        text
    }

    /// The table of the differences from the baseline; empty without differences.
    pub fn changes(self, result: &CiResult) -> String {
        let changes = baseline_changes(result.baseline.as_ref(), &result.measured);
        if changes.is_empty() {
            return String::new();
        }
        let before = if result.baseline.is_some() { "Baseline" } else { "No baseline yet" };
        let mut table = Table::new(["Changed", before, "Now"]);
        for BaselineChange { what, before, now } in changes {
            table.row([(what, Tone::Plain), (before, Tone::Plain), (now, Tone::Strong)]);
        }
        table.text(self.colour)
    }

    /// The last line.
    pub fn verdict(self, result: &CiResult) -> String {
        let (_, tone) = mark(result.verdict);
        format!("  {}\n", tone.paint(&ci_verdict(result), self.colour))
    }
}

/// `regression: perft, tactics`, in plain text.
pub fn ci_verdict(result: &CiResult) -> String {
    let names = result.steps_with(result.verdict).into_iter().map(Step::name).collect::<Vec<_>>().join(", ");
    match result.verdict {
        StepVerdict::Passed | StepVerdict::Skipped => format!("{} passes", result.engine),
        StepVerdict::Inconclusive => format!("inconclusive: {names}"),
        StepVerdict::Regression => format!("regression: {names}"),
        StepVerdict::Broken => format!("{} is broken: {names}", result.engine),
    }
}

fn mark(verdict: StepVerdict) -> (&'static str, Tone) {
    match verdict {
        StepVerdict::Passed => ("✓", Tone::Good),
        StepVerdict::Skipped => ("-", Tone::Faint),
        StepVerdict::Inconclusive => ("?", Tone::Strong),
        StepVerdict::Regression | StepVerdict::Broken => ("✗", Tone::Bad),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ci::made_up_results::{passed, regression};

    #[test]
    fn a_regression_in_two_steps() {
        let (text, result) = (CiText { colour: false }, regression());
        let steps: String = result.steps.iter().map(|step| text.step(step)).collect();
        insta::assert_snapshot!(format!("{steps}\n{}\n{}", text.changes(&result), text.verdict(&result)));
    }

    #[test]
    fn without_differences_there_is_no_table() {
        let text = CiText { colour: false };
        assert_eq!(text.changes(&passed()), "");
        assert_eq!(text.verdict(&passed()), "  mock passes\n");
    }
}
