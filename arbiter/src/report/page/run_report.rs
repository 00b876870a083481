//! The page about one run.

use std::fmt;
use std::path::Path;

use super::sections;
use crate::html::{Page, page};
use crate::report::page::facts::RunFacts;
use crate::run_folder::ReportError;
use crate::run_state::{RecordedRun, RunPhase, Summary};
use runner::BAD_GAMES_FOLDER;

/// One run, ready to be written as a page with its [`Display`](fmt::Display).
#[derive(Clone, Debug)]
pub struct RunReport {
    /// What the page shows of the games.
    pub facts: RunFacts,
    /// The numbers of `summary.json`.
    pub summary: Summary,
    /// Whether the run is over.
    pub state: RunPhase,
    torn_line: Option<usize>,
    odd_table: Option<String>,
}

impl RunReport {
    /// The name of the page in the run folder.
    pub const FILE: &str = "report.html";

    /// Writes the page in one step, so that a reader never sees half of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        page::write(file, &self.to_string())
    }

    /// The report about the run of a folder, whether it is over or not.
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

    /// What `games.csv` of the folder says otherwise than the journal, in words.
    pub fn odd_table(&self) -> Option<&str> {
        self.odd_table.as_deref()
    }

    /// The report about a run whose facts were gathered; without them there is nothing on it but the summary.
    pub fn of(run: RecordedRun) -> RunReport {
        let RecordedRun { folder, mut state, phase, torn_line, odd_table } = run;
        let mut facts = state.take_facts().unwrap_or_else(|| RunFacts::new(state.config().clone()));
        facts.odd_games.read_logs(&folder.join(BAD_GAMES_FOLDER));
        RunReport { summary: state.summary(), facts, state: phase, torn_line, odd_table }
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.summary.engines.get(engine).map_or("?", |engine| engine.name.as_str())
    }

    /// `new against old`, or how many engines met.
    pub fn title(&self) -> String {
        match &self.summary.engines[..] {
            [first, second] => format!("{} against {}", first.name, second.name),
            engines => format!("{} engines, {}", engines.len(), self.facts.config.format),
        }
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page =
            Page { title: &self.title(), header: &sections::headline(self), sections: &sections::all(self) };
        page.fmt(f)
    }
}

#[cfg(test)]
mod tests;
