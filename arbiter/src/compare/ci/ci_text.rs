//! The result of `arbiter ci` as text for a terminal, as JUnit and as Markdown.

use std::fmt::Write as _;

use super::ci_result::{CiResult, StepResult};
use crate::measure::Judgement;
use crate::measure::measurement::BaselineChange;
use crate::report::verdict::Verdict;
use crate::text::junit::{TestSuite, junit};
use crate::text::number_text::plain_minus;
use crate::text::{Document, Line, Table, Tone, markdown_escaped};

const INDENT: usize = 15;

pub fn step_text(result: &StepResult, colour: bool) -> String {
    let (mark, tone) = mark(result.judgement.verdict);
    let mut text =
        format!("  {:<10} {} {}\n", result.step, tone.paint(mark, colour), result.judgement.sentence);
    for line in &result.judgement.details {
        let _ = writeln!(text, "{:INDENT$}{}", "", Tone::Faint.paint(line, colour));
    }
    plain_minus(&text)
}

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

/// The verdict in plain text, such as `regression: perft, tactics`.
fn ci_verdict(result: &CiResult) -> String {
    let decisive = result.steps.iter().filter(|step| step.judgement.verdict == result.verdict);
    let names = decisive.map(|step| step.step.name()).collect::<Vec<_>>().join(", ");
    match result.verdict {
        Verdict::Better | Verdict::Same | Verdict::Skipped => format!("{} passes", result.engine),
        Verdict::CannotTell => format!("inconclusive: {names}"),
        Verdict::Worse => format!("regression: {names}"),
        Verdict::Broken => format!("{} is broken: {names}", result.engine),
    }
}

fn mark(verdict: Verdict) -> (&'static str, Tone) {
    match verdict {
        Verdict::Better | Verdict::Same => ("✓", Tone::Good),
        Verdict::Skipped => ("-", Tone::Faint),
        Verdict::CannotTell => ("?", Tone::Strong),
        Verdict::Worse | Verdict::Broken => ("✗", Tone::Bad),
    }
}

pub fn ci_junit(result: &CiResult) -> String {
    junit("arbiter ci", result.steps.iter().map(|step| suite(result, step)))
}

fn suite(result: &CiResult, step: &StepResult) -> TestSuite {
    let Judgement { sentence, details, checks, .. } = &step.judgement;
    let output: Vec<&str> = std::iter::once(sentence).chain(details).map(String::as_str).collect();
    TestSuite {
        name: format!("{} {}", result.engine, step.step),
        seconds: step.seconds,
        started: result.started,
        cases: checks.clone(),
        output: output.join("\n"),
    }
}

/// The Markdown: verdict, table of the steps, differences from the baseline, and folded details.
pub fn ci_markdown(result: &CiResult) -> String {
    let mut text = format!("### {} {}\n\n", result.verdict.sign(), markdown_escaped(&ci_verdict(result)));
    let mut steps = Table::new(["", "Step", ""]).left(&[1, 2]);
    for StepResult { step, judgement, .. } in &result.steps {
        steps.plain([judgement.verdict.sign(), step.name(), &judgement.sentence]);
    }
    text += &steps.markdown();
    text.push('\n');
    if !result.uncommitted.is_empty() {
        let files = markdown_escaped(&result.uncommitted.join(", "));
        let _ = writeln!(text, "⚠️ Built with uncommitted changes: {files}\n");
    }
    if let Some(changes) = changes(result) {
        text += &changes.markdown();
        text.push('\n');
    }
    text += &details(result);
    let against = result.against.as_ref().map(|against| format!(" vs {}", markdown_escaped(against)));
    let _ = writeln!(
        text,
        "{}{}, {}",
        markdown_escaped(&result.engine),
        against.unwrap_or_default(),
        markdown_escaped(&result.machine)
    );
    text
}

fn changes(result: &CiResult) -> Option<Table> {
    let changes = result.baseline.clone().unwrap_or_default().changes(&result.measured);
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
    for StepResult { step, judgement, .. } in &result.steps {
        for line in &judgement.details {
            let _ = writeln!(lines, "- {step}: {}", markdown_escaped(line));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("<details><summary>Details</summary>\n\n{lines}\n</details>\n\n")
}
