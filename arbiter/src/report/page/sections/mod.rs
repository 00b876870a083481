//! The sections of a run's page, one file each.

mod configuration;
mod endings;
mod pairs;
mod ratings;
mod timeline;
mod times;

use std::cmp::Reverse;

use maud::html;

use super::game_viewer::GameViewer;
use crate::html::Section;
use crate::html::plot::SeriesClass;
use crate::report::pgn_text::basis;
use crate::report::quote::quote;
use crate::report::verdict::title;
use crate::results::facts::{FaultyGameWithLog, RunFacts, first_of_each};
use crate::results::{EngineSummary, RunPhase, RunResults, Summary};
use crate::text::number_text::{repeated_games, thousands};

/// Charts show up to this many engines, and only a few if there are more.
const MOST_CHARTED: usize = 16;
const CHARTED_OF_MANY: usize = 8;

/// How many games are listed for each kind of fault of an engine.
const FAULTS_OF_EACH: usize = 10;

#[derive(Clone, Debug)]
pub struct ShownRun {
    pub facts: RunFacts,
    /// The title and `lines` below the verdict use the full names of engines.
    pub title: String,
    pub lines: Vec<String>,
    /// Uses short names.
    pub summary: Summary,
    pub phase: RunPhase,
    /// How many more faults there are of each kind.
    pub more_faults: Vec<String>,
    /// The first games of each kind of fault.
    pub faulty_games: Vec<FaultyGameWithLog>,
}

impl ShownRun {
    pub(super) fn of(run: RunResults) -> ShownRun {
        let RunResults { folder, config, phase, summary, faulty_games, facts, .. } = run;
        let facts = facts.map_or_else(|| RunFacts::new(config), |facts| *facts);
        let (first, more_faults) = first_of_each(&faulty_games, FAULTS_OF_EACH);
        let faulty_games = FaultyGameWithLog::of_run(&folder, &first);
        let short = summary.with_short_names();
        let names = Some(summary.shortened_to(&short).join(", ")).filter(|names| !names.is_empty());
        let less = repeated_games(summary.repeated_games()).into_iter().chain(summary.doubts());
        let said = names.into_iter().chain(quote(&summary, &facts.config)).chain(less);
        let charts = (summary.engines.len() > MOST_CHARTED)
            .then(|| format!("Charts show the {CHARTED_OF_MANY} players with the most games."));
        let lines = said.chain(basis(&summary)).chain(charts).collect();
        let (title, summary) = (title(&summary), short);
        ShownRun { facts, title, lines, summary, phase, more_faults, faulty_games }
    }

    pub fn name(&self, engine: usize) -> &str {
        self.summary.engines.get(engine).map_or("?", |engine| engine.name.as_str())
    }

    /// The engines that charts show, with their indices: if there are many, those with the most games.
    pub fn charted(&self) -> Vec<(usize, &EngineSummary)> {
        let mut engines: Vec<_> = self.summary.engines.iter().enumerate().collect();
        if engines.len() > MOST_CHARTED {
            engines.sort_by_key(|(_, engine)| Reverse(engine.games));
            engines.truncate(CHARTED_OF_MANY);
        }
        engines
    }

    pub fn legend(&self) -> Vec<(String, SeriesClass)> {
        self.charted().into_iter().map(|(index, engine)| (engine.name.clone(), SeriesClass(index))).collect()
    }
}

/// All non-empty sections, in page order.
pub fn all(run: &ShownRun) -> Vec<Section> {
    // A tuning run has no interesting match result: both sides are the same engine with opposite perturbations.
    let is_match = run.summary.tuned.is_empty();
    let sections = [
        timeline::tuning_section(run),
        ratings::tests_section(run),
        ratings::best_section(run),
        is_match.then(|| ratings::section(run)),
        ratings::crosstable_section(run),
        ratings::ratings(run),
        Some(pairs::section(run)),
        timeline::section(run).filter(|_| is_match),
        Some(endings::section(run)),
        configuration::adjudication_section(run),
        pairs::openings_section(run),
        times::distributions_section(run),
        times::search_section(run),
        times::section(run),
        times::machines_section(run),
        Some(endings::faulty_games_section(run)),
        Some(games(run)),
        run.summary.files.is_none().then(|| configuration::section(run)),
    ];
    sections.into_iter().flatten().collect()
}

/// The games on a board; the viewer writes the whole section.
fn games(run: &ShownRun) -> Section {
    let kept = &run.facts.whole_games;
    let viewer = GameViewer::new(&run.facts.config, kept);
    let left_out = run.summary.games - kept.len() as u64;
    let html = html! {
        @if left_out > 0 {
            @let place = if run.summary.files.is_some() { "the files" } else { "games.pgn" };
            p { "The first games are on this page; " (thousands(left_out)) " more are in " (place) "." }
        }
        (viewer)
    };
    Section { id: "games", title: "Games", html }
}
