//! The page about one run.

use std::path::Path;

use super::sections;
use crate::folder::ReportError;
use crate::html::plot::SeriesClass;
use crate::html::{Page, page};
use crate::results::facts::{FaultyGameWithLog, RunFacts};
use crate::results::{RunOutcome, RunPhase, Summary};

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
    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        page::write(file, &self.html()).map_err(ReportError::at(file))
    }

    /// The report about a run folder; the run may be in progress.
    pub fn of_folder(folder: &Path) -> Result<RunReport, ReportError> {
        Ok(RunReport::of(RunOutcome::read_with_facts(folder)?))
    }

    /// The number of the journal's last line if that was cut off. The game in it is not counted.
    pub const fn torn_line(&self) -> Option<usize> {
        self.torn_line
    }

    /// The report about a run with its facts; without facts it has only the summary.
    pub fn of(run: RunOutcome) -> RunReport {
        RunReport { torn_line: run.torn_line, run: ShownRun::of(run) }
    }

    pub fn html(&self) -> String {
        let run = &self.run;
        Page { title: &run.title(), header: sections::headline(run), sections: sections::all(run) }.html()
    }
}

/// A run as its page shows it.
#[derive(Clone, Debug)]
pub struct ShownRun {
    /// The facts about the games.
    pub facts: RunFacts,
    /// The numbers of `summary.json`.
    pub summary: Summary,
    /// Whether the run is over.
    pub state: RunPhase,
    /// How many games ended by a fault.
    pub faults: usize,
    /// The first of them.
    pub faulty_games: Vec<FaultyGameWithLog>,
}

impl ShownRun {
    pub(super) fn of(run: RunOutcome) -> ShownRun {
        let RunOutcome { folder, config, state, summary, faulty_games, facts, .. } = run;
        let facts = facts.map_or_else(|| RunFacts::new(config), |facts| *facts);
        let faults = faulty_games.len();
        let faulty_games = FaultyGameWithLog::of_run(&folder, &faulty_games);
        ShownRun { facts, summary, state, faults, faulty_games }
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.summary.engines.get(engine).map_or("?", |engine| engine.name.as_str())
    }

    /// The two names, or the number of engines.
    pub fn title(&self) -> String {
        match &self.summary.engines[..] {
            [first, second] => format!("{} vs {}", first.name, second.name),
            engines => format!("{} engines, {}", engines.len(), self.facts.config.format),
        }
    }

    /// The legend of charts with one series per engine.
    pub fn legend(&self) -> Vec<(String, SeriesClass)> {
        let engines = self.summary.engines.iter().enumerate();
        engines.map(|(index, engine)| (engine.name.clone(), SeriesClass(index))).collect()
    }
}

#[cfg(test)]
mod tests;
