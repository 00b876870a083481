//! What the gate says, for a pull request or the summary of a job on GitHub.

use std::fmt::Write as _;

use super::baseline_changes::{BaselineChange, baseline_changes};
use super::gate_result::GateResult;
use super::gate_text::gate_verdict;
use super::step_result::{StepResult, StepVerdict};
use crate::report::markdown::escape;

/// The text: the verdict, a row for each step, what is not as it was, and folded below them the details.
pub fn gate_markdown(result: &GateResult) -> String {
    let mut text = format!("### {} {}\n\n", sign(result.verdict), escape(&gate_verdict(result)));
    text += "| | Step | |\n|:--|:--|:--|\n";
    for StepResult { step, verdict, sentence, .. } in &result.steps {
        let _ = writeln!(text, "| {} | {step} | {} |", sign(*verdict), escape(sentence));
    }
    text.push('\n');
    if !result.uncommitted.is_empty() {
        let files = escape(&result.uncommitted.join(", "));
        let _ = writeln!(text, "⚠️ Built with changes that are in no commit: {files}\n");
    }
    text += &changes(result);
    text += &details(result);
    let against = result.against.as_ref().map(|against| format!(" against {}", escape(against)));
    let _ = writeln!(
        text,
        "{}{}, {}",
        escape(&result.engine),
        against.unwrap_or_default(),
        escape(&result.machine)
    );
    text
}

fn sign(verdict: StepVerdict) -> &'static str {
    match verdict {
        StepVerdict::Passed => "✅",
        StepVerdict::LeftOut => "➖",
        StepVerdict::Inconclusive => "⏳",
        StepVerdict::Regression | StepVerdict::Broken => "❌",
    }
}

fn changes(result: &GateResult) -> String {
    let changes = baseline_changes(result.baseline.as_ref(), &result.measured);
    if changes.is_empty() {
        return String::new();
    }
    let mut text = String::from("| Changed | Baseline | Now |\n|:--|--:|--:|\n");
    for BaselineChange { what, before, now } in changes {
        let _ = writeln!(text, "| {} | {} | {} |", escape(&what), escape(&before), escape(&now));
    }
    text + "\n"
}

/// What a reader needs beside the answers, folded until somebody wants to see it.
fn details(result: &GateResult) -> String {
    let mut lines = String::new();
    for StepResult { step, details, .. } in &result.steps {
        for line in details {
            let _ = writeln!(lines, "- {step}: {}", escape(line));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("<details><summary>Details</summary>\n\n{lines}\n</details>\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::made_up_gate::{passed, regression};

    #[test]
    fn a_regression_in_two_steps() {
        insta::assert_snapshot!(gate_markdown(&regression()));
    }

    #[test]
    fn a_build_that_passes_without_a_change() {
        insta::assert_snapshot!(gate_markdown(&passed()));
    }
}
