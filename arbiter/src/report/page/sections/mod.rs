//! The sections of the page about one run, one file each.

mod configuration;
mod endings;
mod pairs;
mod ratings;
mod timeline;
mod times;

use maud::html;

use super::game_viewer::GameViewer;
use crate::html::Section;
use crate::html::plot::SeriesClass;
use crate::report::verdict::{quote, title};
use crate::results::facts::{FaultyGameWithLog, RunFacts};
use crate::results::{RunPhase, RunResults, Summary};
use crate::text::number_text::{repeated_games, thousands};

#[derive(Clone, Debug)]
pub struct ShownRun {
    pub facts: RunFacts,
    /// With the whole names of the engines, as the lines below the verdict.
    pub title: String,
    pub lines: Vec<String>,
    /// With short names.
    pub summary: Summary,
    pub state: RunPhase,
    /// How many games ended by a fault.
    pub faults: usize,
    /// The first of them.
    pub faulty_games: Vec<FaultyGameWithLog>,
}

impl ShownRun {
    pub(super) fn of(run: RunResults) -> ShownRun {
        let RunResults { folder, config, state, summary, faulty_games, facts, .. } = run;
        let facts = facts.map_or_else(|| RunFacts::new(config), |facts| *facts);
        let faults = faulty_games.len();
        let faulty_games = FaultyGameWithLog::of_run(&folder, &faulty_games);
        let short = summary.with_short_names();
        let names = Some(summary.shortened_to(&short).join(", ")).filter(|names| !names.is_empty());
        let repeated = repeated_games(summary.repeated_games());
        let lines = names.into_iter().chain(quote(&summary, &facts.config)).chain(repeated).collect();
        let (title, summary) = (title(&summary), short);
        ShownRun { facts, title, lines, summary, state, faults, faulty_games }
    }

    pub fn name(&self, engine: usize) -> &str {
        self.summary.engines.get(engine).map_or("?", |engine| engine.name.as_str())
    }

    pub fn legend(&self) -> Vec<(String, SeriesClass)> {
        let engines = self.summary.engines.iter().enumerate();
        engines.map(|(index, engine)| (engine.name.clone(), SeriesClass(index))).collect()
    }
}

/// All sections that are not empty, in the order of the page.
pub fn all(run: &ShownRun) -> Vec<Section> {
    let sections = [
        timeline::tuning_section(run),
        ratings::tests_section(run),
        ratings::best_section(run),
        Some(ratings::section(run)),
        ratings::crosstable_section(run),
        ratings::ratings(run),
        Some(pairs::section(run)),
        timeline::section(run),
        Some(endings::section(run)),
        configuration::adjudication_section(run),
        pairs::openings_section(run),
        times::distributions_section(run),
        times::search_section(run),
        times::section(run),
        times::machines_section(run),
        Some(endings::faulty_games_section(run)),
        Some(games(run)),
        Some(configuration::section(run)),
    ];
    sections.into_iter().flatten().collect()
}

/// The games on a board. The viewer writes a whole section.
fn games(run: &ShownRun) -> Section {
    let kept = run.facts.whole_games();
    let viewer = GameViewer::new(&run.facts.config, kept);
    let left_out = run.summary.games - kept.len() as u64;
    let html = html! {
        @if left_out > 0 {
            p { "The first games are on this page; " (thousands(left_out)) " more are in games.pgn." }
        }
        (viewer)
    };
    Section { id: "games", title: "Games", html }
}
