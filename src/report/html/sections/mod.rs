//! The sections of the page about one run, one file each.

mod course;
mod crosstable;
mod distributions;
mod endings;
mod headline;
mod making;
mod odd_games;
mod openings;
mod pairs;
mod search;
mod strength;
mod times;

use super::figure::{Figure, engine_legend};
use super::run_report::RunReport;
use super::section::Section;

pub use headline::headline;

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
        Some(making::section(report)),
    ];
    sections.into_iter().flatten().collect()
}
