//! The HTML page about one run.

use std::path::Path;

use maud::{Markup, html};

use super::sections::{self, ShownRun};
use crate::files::write_whole;
use crate::folder::ReportError;
use crate::html::Page;
use crate::report::result::Figures;
use crate::report::verdict::{state, verdict};
use crate::results::RunResults;
use crate::text::Document;
use crate::text::number_text::{counted, limits_of_run, long_time, thousands};

#[derive(Clone, Debug)]
pub struct RunReport {
    run: ShownRun,
    /// The number of the journal's last line if that line was cut off; its game is not counted.
    pub torn_line: Option<usize>,
}

impl RunReport {
    pub const FILE: &str = "report.html";

    /// Writes the page in one step, so that a reader never sees half of it.
    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        write_whole(file, self.html()).map_err(ReportError::at(file))
    }

    pub fn of_folder(folder: &Path) -> Result<RunReport, ReportError> {
        Ok(RunReport::of(RunResults::read_with_facts(folder)?))
    }

    /// The report about a run; without facts it has only the summary.
    pub fn of(run: RunResults) -> RunReport {
        RunReport { torn_line: run.torn_line, run: ShownRun::of(run) }
    }

    pub fn html(&self) -> String {
        let run = &self.run;
        Page { title: &run.title, header: headline(run), sections: sections::all(run) }.html()
    }
}

/// The verdict in one sentence, the progress, and the figures of a match.
fn headline(run: &ShownRun) -> Markup {
    let date = run.facts.config.made.as_ref().map(|made| made.date.strftime(" · %-d %B %Y").to_string());
    let figures = match run.summary.of_two() {
        [pairing] if pairing.games() > 0 && run.summary.tuned.is_empty() => Some(Figures::of(pairing)),
        _ => None,
    };
    html! {
        p.over { (run.title) (date.unwrap_or_default()) }
        h1 { (verdict(&run.summary)) }
        p.state { (progress(run)) }
        @for line in &run.lines { p.state { (line) } }
        @if let Some(figures) = figures { (Document::of_facts(figures.facts())) }
    }
}

fn progress(run: &ShownRun) -> String {
    let summary = &run.summary;
    if summary.files.is_some() {
        return counted(summary.games, "game");
    }
    let state = state(&run.phase).map_or_else(String::new, |state| state + " ");
    let (games, planned) = (thousands(summary.games), thousands(summary.planned));
    let (limits, time) = (limits_of_run(&run.facts.config), long_time(summary.duration));
    format!("{state}{games} of {planned} games · {limits} · {time}")
}

#[cfg(test)]
mod tests;
