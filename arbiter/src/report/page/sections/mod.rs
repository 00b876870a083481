//! The sections of the page about one run, one file each.

mod configuration;
mod endings;
mod pairs;
mod ratings;
mod timeline;
mod times;

use maud::html;

use super::game_viewer::GameViewer;
use super::run_report::ShownRun;
use crate::html::Section;
use crate::text::number_text::thousands;

/// All sections that are not empty, in the order of the page.
pub fn all(run: &ShownRun) -> Vec<Section> {
    let sections = [
        timeline::tuning_section(run),
        ratings::tests_section(run),
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
