//! The result on a terminal.

use std::fmt::Write as _;

use super::baseline_changes::{BaselineChange, baseline_changes};
use super::ci_run::CiResult;
use super::step::{CheckOutcome, Step, StepResult, StepVerdict};
use crate::text::document::escape;
use crate::text::junit::{CaseOutcome, TestCase, TestSuite, junit};
use crate::text::number_text::plain_minus;
use crate::text::{Document, Line, Table, Tone};

const INDENT: usize = 15;

/// What is shown of a step when it ends.
pub fn step_text(result: &StepResult, colour: bool) -> String {
    let (mark, tone) = mark(result.verdict);
    let mut text = format!("  {:<10} {} {}\n", result.step, tone.paint(mark, colour), result.sentence);
    for line in &result.details {
        let _ = writeln!(text, "{:INDENT$}{}", "", Tone::Faint.paint(line, colour));
    }
    plain_minus(&text)
}

/// The differences from the baseline and the verdict.
pub fn conclusion(result: &CiResult) -> Document {
    let mut document = Document::default();
    document.gap();
    if let Some(changes) = changes(result) {
        document.table(changes);
        document.gap();
    }
    document.line(Line::default().and(ci_verdict(result), mark(result.verdict).1));
    document
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

pub fn ci_junit(result: &CiResult) -> String {
    junit("arbiter ci", result.steps.iter().map(|step| suite(result, step)))
}

fn suite(result: &CiResult, step: &StepResult) -> TestSuite {
    let cases = step.checks.iter().map(|check| TestCase {
        name: check.name.clone(),
        outcome: match &check.outcome {
            CheckOutcome::Passed => CaseOutcome::Passed,
            CheckOutcome::Failed(message) => CaseOutcome::Failed(message.clone(), String::new()),
            CheckOutcome::Skipped(message) => CaseOutcome::Skipped(message.clone()),
        },
    });
    let output: Vec<&str> =
        std::iter::once(&step.sentence).chain(&step.details).map(String::as_str).collect();
    TestSuite {
        name: format!("{} {}", result.engine, step.step),
        seconds: step.seconds,
        started: result.started,
        cases: cases.collect(),
        output: output.join("\n"),
    }
}

/// The text: the verdict, a row for each step, the differences from the baseline, and the details, folded.
pub fn ci_markdown(result: &CiResult) -> String {
    let mut text = format!("### {} {}\n\n", sign(result.verdict), escape(&ci_verdict(result)));
    let mut steps = Table::new(["", "Step", ""]).left(&[1, 2]);
    for StepResult { step, verdict, sentence, .. } in &result.steps {
        steps.plain([sign(*verdict), step.name(), sentence]);
    }
    text += &steps.markdown();
    text.push('\n');
    if !result.uncommitted.is_empty() {
        let files = escape(&result.uncommitted.join(", "));
        let _ = writeln!(text, "⚠️ Built with uncommitted changes: {files}\n");
    }
    if let Some(changes) = changes(result) {
        text += &changes.markdown();
        text.push('\n');
    }
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

/// The differences from the baseline, if there are any.
fn changes(result: &CiResult) -> Option<Table> {
    let changes = baseline_changes(result.baseline.as_ref(), &result.measured);
    let before = if result.baseline.is_some() { "Baseline" } else { "No baseline yet" };
    let mut table = Table::new(["Changed", before, "Now"]);
    let is_changed = !changes.is_empty();
    for BaselineChange { what, before, now } in changes {
        table.row([(what, Tone::Plain), (before, Tone::Plain), (now, Tone::Strong)]);
    }
    is_changed.then_some(table)
}

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
        let result = regression();
        let steps: String = result.steps.iter().map(|step| step_text(step, false)).collect();
        insta::assert_snapshot!(steps + &conclusion(&result).terminal(false));
    }

    #[test]
    fn without_differences_there_is_no_table() {
        assert_eq!(conclusion(&passed()).terminal(false), "\n  mock passes\n");
    }
}

#[cfg(test)]
mod ci_junit_tests {
    use super::*;
    use crate::judge::ci::made_up_results::regression;

    #[test]
    fn a_regression_in_two_steps() {
        insta::assert_snapshot!(ci_junit(&regression()));
    }

    #[test]
    fn output_of_an_engine_cannot_break_the_document() {
        let mut result = regression();
        result.engine = "<a&b>".to_owned();
        result.steps[0].checks[0].outcome = CheckOutcome::Failed("]]></failure>\u{1b}\"".to_owned());
        let xml = ci_junit(&result);
        assert!(xml.contains("message=\"]]&gt;&lt;/failure&gt;\u{fffd}&quot;\""), "{xml}");
        assert!(xml.contains("name=\"&lt;a&amp;b&gt; perft\""), "{xml}");
    }
}

#[cfg(test)]
mod ci_markdown_tests {
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
