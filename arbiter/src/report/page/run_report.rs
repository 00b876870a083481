//! The page about one run.

use std::path::Path;

use super::sections;
use super::shown_run::ShownRun;
use crate::folder::ReportError;
use crate::html::{Page, page};
use crate::results::RecordedRun;
use crate::results::facts::RunFacts;

/// One run, ready to be written as a page.
#[derive(Clone, Debug)]
pub struct RunReport {
    run: ShownRun,
    torn_line: Option<usize>,
}

impl RunReport {
    /// The name of the page in the run folder.
    pub const FILE: &str = "report.html";

    /// Writes the page in one step, so that a reader never sees half of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        page::write(file, &self.html()).map_err(ReportError::at(file))
    }

    /// The report about a run folder; the run may be in progress.
    ///
    /// # Errors
    /// The folder has no journal, or one that cannot be read.
    pub fn of_folder(folder: &Path) -> Result<RunReport, ReportError> {
        Ok(RunReport::of(RecordedRun::read_with_facts(folder)?))
    }

    /// The number of the journal's last line if that was cut off. The game in it is not counted.
    pub const fn torn_line(&self) -> Option<usize> {
        self.torn_line
    }

    /// The report about a run with its facts; without facts it has only the summary.
    pub fn of(run: RecordedRun) -> RunReport {
        let RecordedRun { folder, mut state, phase, torn_line } = run;
        let mut facts = state.take_facts().unwrap_or_else(|| RunFacts::new(state.config().clone()));
        facts.faulty_games.read_logs(&folder);
        RunReport { run: ShownRun { summary: state.summary(), facts, state: phase }, torn_line }
    }

    /// The page.
    pub fn html(&self) -> String {
        let run = &self.run;
        Page { title: &run.title(), header: sections::headline(run), sections: sections::all(run) }.html()
    }
}

#[cfg(test)]
mod tests;
