//! Results as JSON and as CSV.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::quote::quote;
use super::verdict::verdict;
use crate::results::{FaultyGame, PairingSummary, RunPhase, RunResults, SprtSummary, Summary};
use crate::text::csv_text;
use crate::text::number_text::Estimate;
use runner::{RunConfig, Termination, micros};
use stats::Observations;

/// The whole file. `schema` changes if a field changes its meaning or is removed. Readers must ignore unknown fields,
/// because adding one does not change `schema`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ResultsJson {
    /// The version of this format.
    pub schema: u32,
    /// The version of the program that wrote the file.
    pub arbiter: String,
    /// The runs, in the order given.
    pub runs: Vec<RunJson>,
}

#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RunJson {
    /// The name of the run folder.
    pub name: String,
    /// The start of the run, RFC 3339; absent for PGN files without dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// Whether the run is in progress.
    pub state: RunPhase,
    /// The verdict, one English sentence.
    pub verdict: String,
    /// One line to quote, for a match of two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Score, Elo, sequential test and faults, as in `summary.json`.
    pub summary: Summary,
    /// The games that an engine lost by a fault.
    pub faulty_games: Vec<FaultyGame>,
    /// How long the machine was busy with other work; in microseconds in the file.
    #[serde(rename = "noisy_us", with = "micros")]
    #[schemars(with = "u64")]
    pub noisy: Duration,
    /// The configuration, as in `run.toml`; absent for PGN files.
    #[schemars(with = "Option<BTreeMap<String, serde_json::Value>>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Arc<RunConfig>>,
}

impl ResultsJson {
    pub const SCHEMA: u32 = 2;

    pub fn new(runs: &[RunResults]) -> ResultsJson {
        let runs = runs.iter().map(|run| RunJson {
            name: run.name(),
            started: run.known_start(),
            state: run.phase.clone(),
            verdict: verdict(&run.summary),
            quote: quote(&run.summary, &run.config),
            summary: run.summary.clone(),
            faulty_games: run.faulty_games.clone(),
            noisy: run.noisy,
            config: (!run.config.is_of_files()).then(|| Arc::clone(&run.config)),
        });
        ResultsJson {
            schema: ResultsJson::SCHEMA,
            arbiter: env!("CARGO_PKG_VERSION").to_owned(),
            runs: runs.collect(),
        }
    }

    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The columns are from the first engine's view: pairs are counted by its points, faults over all games of the run.
/// `sprt` is `continue`, `accept-h0` or `accept-h1`.
const COLUMNS: &str = "run,started,first,second,games,wins,draws,losses,pairs_0,pairs_half,pairs_1,pairs_1_half,pairs_2,\
                       elo,elo_lower,elo_upper,nelo,nelo_lower,nelo_upper,los,elo0,elo1,llr,llr_lower,llr_upper,sprt,\
                       first_time_losses,first_other_faults,second_time_losses,second_other_faults";

/// A row for every pairing that played. Unknown fields are empty; infinite numbers are `inf` and `-inf`.
pub fn results_csv(runs: &[RunResults]) -> csv::Result<String> {
    let met = |pairing: &&PairingSummary| pairing.wdl.games() > 0;
    let rows =
        runs.iter().flat_map(|run| run.summary.pairings.iter().filter(met).map(|pairing| row(run, pairing)));
    csv_text(COLUMNS, rows)
}

fn row(run: &RunResults, pairing: &PairingSummary) -> impl Serialize {
    let [first, second] = [pairing.first, pairing.second].map(|engine| &run.summary.engines[engine]);
    let names = [
        run.name(),
        run.known_start().map_or_else(String::new, |start| start.to_string()),
        first.name.clone(),
        second.name.clone(),
    ];
    let wdl = pairing.wdl;
    let faults =
        [first, second].map(|engine| [engine.faults_of(Termination::TimeLoss), engine.other_faults()]);
    let test = pairing.estimates.sprt.map_or([None; 5], |SprtSummary { test, llr, lower, upper, .. }| {
        [test.elo0(), test.elo1(), llr.value(), lower.value(), upper.value()].map(Some)
    });
    (
        names,
        pairing.games(),
        // Unknown if the test counts more games than this folder has.
        [wdl.wins, wdl.draws, wdl.losses].map(|games| pairing.tested.is_none().then_some(games)),
        match pairing.observations() {
            Observations::Pairs(pairs) => pairs.counts(),
            Observations::Games(_) => pairing.pentanomial.counts(),
        },
        pairing.estimates.elo.with_ends(),
        pairing.estimates.normalized_elo.with_ends(),
        pairing.estimates.los.probability(),
        test,
        pairing.estimates.sprt.map(|sprt| sprt.status),
        faults,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{outcome, round_robin, two_engine_match, with_nine_decimals};

    #[test]
    fn every_two_engines_that_met_have_a_row() {
        let runs = [
            outcome(&["new", "old"], true, &two_engine_match("wdwwlddd")),
            outcome(&["a", "b", "c", "d"], false, &round_robin()[..4]),
        ];
        insta::assert_snapshot!(with_nine_decimals(&results_csv(&runs).unwrap()));
    }
}
