//! How strong the engines of a run are.

use std::collections::BTreeMap;

use super::run_report::RunReport;
use stats::EloEstimate;
use stats::ratings::{Encounter, RatingList};

/// The strength of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// Its index in the configuration.
    pub engine: usize,
    /// Its rating with the 95% interval; `None` where nothing is known.
    pub elo: Option<EloEstimate>,
}

/// What the ratings are, in words.
pub const SCALE: &str = "The most likely ratings given all games, relative to the average of those rated, with 95% \
                         intervals. What it is worth to have White is taken into account.";

/// The ratings of all engines, the best first, those that cannot be rated last.
pub fn ratings(report: &RunReport) -> Vec<Rating> {
    let list = rating_list(report);
    let players = list.players().iter().enumerate();
    let mut ratings: Vec<Rating> =
        players.map(|(engine, player)| Rating { engine, elo: player.rating }).collect();
    ratings.sort_by(|one, other| rank(other.elo).total_cmp(&rank(one.elo)));
    ratings
}

/// The ratings by the index of the engine, with what is known about their differences.
pub fn rating_list(report: &RunReport) -> RatingList {
    let encounters = report.facts.colours.encounters();
    let encounters: Vec<Encounter> =
        encounters.map(|(white, black, results)| Encounter { white, black, results }).collect();
    RatingList::new(report.summary.engines.len(), &encounters, &BTreeMap::new())
}

/// By the rating; those that won all games by how good they must at least be.
pub fn rank(elo: Option<EloEstimate>) -> f64 {
    const OPEN: f64 = 1e6;
    match elo {
        None => f64::NEG_INFINITY,
        Some(elo) if elo.elo.value().is_finite() => elo.elo.value(),
        Some(elo) if elo.lower.value().is_finite() => OPEN + elo.lower.value(),
        Some(elo) => elo.upper.value().max(-OPEN) - OPEN,
    }
}
