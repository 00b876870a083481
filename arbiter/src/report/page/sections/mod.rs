//! The sections of the page about one run, one file each.

mod course;
mod crosstable;
mod distributions;
mod endings;
pub mod headline;
mod making;
mod odd_games;
mod openings;
mod pairs;
mod search;
mod strength;
mod times;

use super::figure::{Figure, engine_legend};
use super::game_viewer::GameViewer;
use super::run_report::RunReport;
use super::section::Section;

use crate::text::number_text::thousands;

pub use headline::{headline, limits_text};

/// All sections that the run has something to say in, in the order of the page.
pub fn all(report: &RunReport) -> Vec<Section> {
    let sections = [
        Some(strength::section(report)),
        crosstable::section(report),
        Some(pairs::section(report)),
        course::section(report),
        Some(endings::section(report)),
        openings::section(report),
        distributions::section(report),
        search::section(report),
        times::section(report),
        Some(odd_games::section(report)),
        Some(games(report)),
        Some(making::section(report)),
    ];
    sections.into_iter().flatten().collect()
}

/// The games on a board. The viewer writes a whole section.
fn games(report: &RunReport) -> Section {
    let kept = report.facts.whole_games();
    let viewer = GameViewer::new(&report.facts.config, kept).to_string();
    let left_out = report.summary.games - kept.len() as u64;
    let note = match left_out {
        0 => String::new(),
        more => {
            format!("<p>The first games are on this page; {} more are in games.pgn.</p>\n", thousands(more))
        }
    };
    Section { id: "games", title: "Games", html: note + &viewer }
}
