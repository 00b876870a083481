//! The report of `arbiter sprt`.

use serde::{Deserialize, Serialize};

use super::match_results::MatchResults;
use super::sprt_forecasts::SprtForecasts;
use crate::results::SprtSummary;
use stats::{EloEstimate, Los, NormalizedEloEstimate, Sprt};

/// Results, the estimates from them, and the state of the SPRT. In JSON, `schema` changes whenever a field
/// changes its meaning or goes away; infinite numbers are `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtReport {
    /// The version of this format.
    pub schema: u32,
    #[serde(flatten)]
    pub results: MatchResults,
    /// Games that all numbers are computed from, two for each pair.
    pub games: u64,
    /// Points: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Points per game, from 0 to 1; `None` without games.
    pub score: Option<f64>,
    /// The Elo difference and its 95% interval.
    pub elo: EloEstimate,
    /// The normalized Elo difference and its 95% interval.
    pub normalized_elo: NormalizedEloEstimate,
    /// LOS, the likelihood of superiority, from 0 to 1.
    pub los: Los,
    /// `DrawRatio`: the share of pairs with 1 point, or of draws among single games, from 0 to 1; `None` without games.
    pub draw_ratio: Option<f64>,
    /// `PairsRatio`: pairs won / pairs lost; `None` if no pair is lost, and for single games.
    pub pair_ratio: Option<f64>,
    /// The state of the SPRT, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<SprtForecasts>,
}

impl SprtReport {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 2;

    pub fn new(results: MatchResults, test: Option<&Sprt>, forecast: Option<SprtForecasts>) -> SprtReport {
        let observations = results.observations;
        let (games, score) = (observations.games(), observations.score());
        SprtReport {
            schema: SprtReport::SCHEMA,
            results,
            games,
            points: observations.points(),
            score: (games > 0).then_some(score.mean()),
            elo: EloEstimate::new(&score),
            normalized_elo: NormalizedEloEstimate::new(&score),
            los: Los::new(&score),
            draw_ratio: observations.draw_ratio(),
            pair_ratio: observations.pair_ratio(),
            sprt: test.map(|test| SprtSummary::new(test, observations.llr(test))),
            forecast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Observations, Pentanomial, SprtModel, Wdl};

    #[test]
    fn the_report_reads_back_from_json() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        for observations in [
            Observations::Pairs(Pentanomial::new([1, 2, 3, 4, 5])),
            Observations::Games(Wdl::new(7, 0, 0)),
            Observations::Games(Wdl::default()),
        ] {
            let report = SprtReport::new(MatchResults::of_counts(observations), Some(&test), None);
            let json = serde_json::to_string(&report).unwrap();
            assert_eq!(serde_json::from_str::<SprtReport>(&json).unwrap(), report, "{json}");
        }
    }
}
