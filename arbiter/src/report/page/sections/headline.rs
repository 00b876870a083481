//! The top of the page: the verdict and the figures, or a table of several tests.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::result::{Figures, tests};
use crate::report::verdict::{bias_note, quote, state, tests_heading, verdict};
use crate::text::Document;
use crate::text::number_text::{limits, long_time, thousands};

/// The verdict in one sentence, the progress, and the figures of a match.
pub fn headline(run: &ShownRun) -> Markup {
    let date = run.facts.config.made.as_ref().map(|made| made.date.strftime(" · %-d %B %Y").to_string());
    let figures = match &run.summary.pairings[..] {
        [pairing] if pairing.wdl.games() > 0 => Some(Figures::of(pairing)),
        _ => None,
    };
    html! {
        p.over { (run.title()) (date.unwrap_or_default()) }
        h1 { (verdict(&run.summary)) }
        p.state { (progress(run)) }
        @if let Some(line) = quote(&run.summary, &run.facts.config) { p.state { (line) } }
        @if let Some(figures) = figures { (Document::of_facts(figures.facts())) }
    }
}

/// The state and the speed of the run.
fn progress(run: &ShownRun) -> String {
    let summary = &run.summary;
    let state = state(&run.state).map_or_else(String::new, |state| state + " ");
    let (games, planned) = (thousands(summary.games), thousands(summary.planned));
    let (limits, time) = (limits(&run.facts.config.limits), long_time(summary.duration));
    format!("{state}{games} of {planned} games · {limits} · {time}")
}

/// A row for each test.
pub fn section(run: &ShownRun) -> Option<Section> {
    let summary = &run.summary;
    let heading = tests_heading(summary).filter(|_| summary.has_several_tests())?;
    let html = html! {
        p { (heading) ". Who has a verdict plays no more." }
        (tests(summary, true))
        @if let Some(note) = bias_note(summary) { p { (note) "." } }
    };
    Some(Section::new("tests", "SPRT", "SPRT", &html))
}
