//! How strong the engines of a run are.

use super::run_report::RunReport;
use crate::stats::EloEstimate;

/// The strength of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// Its index in the configuration.
    pub engine: usize,
    /// Its rating with the 95% interval.
    pub elo: EloEstimate,
}

/// What the ratings are measured against, in words.
pub const SCALE: &str = "Elo against the average of the opponents each engine met, with 95% intervals";

/// The ratings of all engines, the best first.
pub fn ratings(report: &RunReport) -> Vec<Rating> {
    let engines = report.summary.engines.iter().enumerate();
    let mut ratings: Vec<Rating> =
        engines.map(|(engine, summary)| Rating { engine, elo: summary.elo_against_the_field }).collect();
    ratings.sort_by(|one, other| other.elo.elo.value().total_cmp(&one.elo.elo.value()));
    ratings
}
