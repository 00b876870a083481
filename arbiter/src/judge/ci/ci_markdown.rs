//! The result as Markdown, for a pull request or the job summary on GitHub.

use std::fmt::Write as _;

use super::baseline_changes::{BaselineChange, baseline_changes};
use super::ci_result::CiResult;
use super::ci_text::ci_verdict;
use super::step_result::{StepResult, StepVerdict};
use crate::report::markdown::escape;

/// The text: the verdict, a row for each step, the differences from the baseline, and the details, folded.
pub fn ci_markdown(result: &CiResult) -> String {
    let mut text = format!("### {} {}\n\n", sign(result.verdict), escape(&ci_verdict(result)));
    text += "| | Step | |\n|:--|:--|:--|\n";
    for StepResult { step, verdict, sentence, .. } in &result.steps {
        let _ = writeln!(text, "| {} | {step} | {} |", sign(*verdict), escape(sentence));
    }
    text.push('\n');
    if !result.uncommitted.is_empty() {
        let files = escape(&result.uncommitted.join(", "));
        let _ = writeln!(text, "⚠️ Built with uncommitted changes: {files}\n");
    }
    text += &changes(result);
    text += &details(result);
    let against = result.against.as_ref().map(|against| format!(" vs {}", escape(against)));
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
        StepVerdict::Skipped => "➖",
        StepVerdict::Inconclusive => "⏳",
        StepVerdict::Regression | StepVerdict::Broken => "❌",
    }
}

fn changes(result: &CiResult) -> String {
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

/// The details of the steps, folded.
fn details(result: &CiResult) -> String {
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
    use crate::judge::ci::made_up_results::{passed, regression};

    #[test]
    fn a_regression_in_two_steps() {
        insta::assert_snapshot!(ci_markdown(&regression()));
    }

    #[test]
    fn a_build_that_passes_without_a_change() {
        insta::assert_snapshot!(ci_markdown(&passed()));
    }
}
