//! The data of all sections of a run's page.

use crate::html::plot::SeriesClass;
use crate::results::RunPhase;
use crate::results::Summary;
use crate::results::facts::RunFacts;

/// A run as its page shows it.
#[derive(Clone, Debug)]
pub struct ShownRun {
    /// The facts about the games.
    pub facts: RunFacts,
    /// The numbers of `summary.json`.
    pub summary: Summary,
    /// Whether the run is over.
    pub state: RunPhase,
}

impl ShownRun {
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
