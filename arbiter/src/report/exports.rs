//! Results as JSON and as CSV.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::verdict::{quote, verdict};
use crate::results::{EngineSummary, FaultyGame, PairingSummary, RunOutcome, RunPhase, Summary};
use crate::text::csv_text;
use runner::{RunConfig, Termination, micros};
use stats::SprtStatus;

/// The whole file. `schema` changes if a field changes its meaning or is removed. Readers must ignore unknown fields,
/// because adding one does not change `schema`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultsJson {
    pub schema: u32,
    pub arbiter: String,
    pub runs: Vec<RunJson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunJson {
    pub name: String,
    pub started: Timestamp,
    pub state: RunPhase,
    pub verdict: String,
    /// One line to be quoted, for a match of two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Score, Elo, sequential test and faults, as in `summary.json`.
    pub summary: Summary,
    pub faulty_games: Vec<FaultyGame>,
    /// The time for which the machine was noisy; in microseconds in the file.
    #[serde(rename = "noisy_us", with = "micros")]
    pub noisy: Duration,
    pub config: RunConfig,
}

impl ResultsJson {
    pub const SCHEMA: u32 = 2;

    pub fn new(runs: &[RunOutcome]) -> ResultsJson {
        let runs = runs.iter().map(|run| RunJson {
            name: run.name(),
            started: run.started,
            state: run.state.clone(),
            verdict: verdict(&run.summary),
            quote: quote(&run.summary, &run.config),
            summary: run.summary.clone(),
            faulty_games: run.faulty_games.clone(),
            noisy: run.noisy,
            config: run.config.clone(),
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

/// One row. Unknown fields are empty; infinite numbers are `inf` and `-inf`.
#[derive(Serialize)]
struct Row<'a> {
    run: &'a str,
    started: String,
    first: &'a str,
    second: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Pairs of games by the first engine's points.
    pairs_0: u64,
    pairs_half: u64,
    pairs_1: u64,
    pairs_1_half: u64,
    pairs_2: u64,
    elo: f64,
    elo_lower: f64,
    elo_upper: f64,
    nelo: f64,
    nelo_lower: f64,
    nelo_upper: f64,
    los: f64,
    elo0: Option<f64>,
    elo1: Option<f64>,
    llr: Option<f64>,
    llr_lower: Option<f64>,
    llr_upper: Option<f64>,
    /// `continue`, `accept-h0` or `accept-h1`.
    sprt: Option<SprtStatus>,
    /// Those of all games of the run.
    first_time_losses: u64,
    first_other_faults: u64,
    second_time_losses: u64,
    second_other_faults: u64,
}

pub fn results_csv(runs: &[RunOutcome]) -> csv::Result<String> {
    let named: Vec<(&RunOutcome, String)> = runs.iter().map(|run| (run, run.name())).collect();
    csv_text(named.iter().flat_map(|(run, name)| {
        let met = run.summary.pairings.iter().filter(|pairing| pairing.wdl.games() > 0);
        met.map(move |pairing| row(run, name, pairing))
    }))
}

fn row<'a>(run: &'a RunOutcome, name: &'a str, pairing: &PairingSummary) -> Row<'a> {
    let [first, second] = [pairing.first, pairing.second].map(|engine| &run.summary.engines[engine]);
    let [pairs_0, pairs_half, pairs_1, pairs_1_half, pairs_2] = pairing.pentanomial.counts();
    let time_losses = |engine: &EngineSummary| engine.faults_of(Termination::TimeLoss);
    let sprt = pairing.sprt.as_ref();
    Row {
        run: name,
        started: run.started.to_string(),
        first: &first.name,
        second: &second.name,
        games: pairing.wdl.games(),
        wins: pairing.wdl.wins,
        draws: pairing.wdl.draws,
        losses: pairing.wdl.losses,
        pairs_0,
        pairs_half,
        pairs_1,
        pairs_1_half,
        pairs_2,
        elo: pairing.elo.elo.value(),
        elo_lower: pairing.elo.lower.value(),
        elo_upper: pairing.elo.upper.value(),
        nelo: pairing.normalized_elo.nelo.value(),
        nelo_lower: pairing.normalized_elo.lower.value(),
        nelo_upper: pairing.normalized_elo.upper.value(),
        los: pairing.los.probability(),
        elo0: sprt.map(|sprt| sprt.test.elo0()),
        elo1: sprt.map(|sprt| sprt.test.elo1()),
        llr: sprt.map(|sprt| sprt.llr.value()),
        llr_lower: sprt.map(|sprt| sprt.lower.value()),
        llr_upper: sprt.map(|sprt| sprt.upper.value()),
        sprt: sprt.map(|sprt| sprt.status),
        first_time_losses: time_losses(first),
        first_other_faults: first.other_faults(),
        second_time_losses: time_losses(second),
        second_other_faults: second.other_faults(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{lost_by, outcome, two_engine_match};
    use referee::Side;
    use runner::Termination;

    #[test]
    fn the_file_reads_back() {
        let mut games = two_engine_match("wwww");
        games.push(lost_by(4, (0, 1), Side::Black, Termination::TimeLoss));
        let results = ResultsJson::new(&[outcome(&["new", "old"], true, &games)]);
        let text = results.text().unwrap();
        assert_eq!(serde_json::from_str::<ResultsJson>(&text).unwrap(), results);
        assert_eq!((results.runs.len(), results.runs[0].faulty_games[0].number), (1, 5));
    }
}

#[cfg(test)]
mod results_csv_tests {
    use super::*;
    use crate::results::made_up_games::{outcome, round_robin, two_engine_match};

    #[test]
    fn every_two_engines_that_met_have_a_row() {
        let runs = [
            outcome(&["new", "old"], true, &two_engine_match("wdwwlddd")),
            outcome(&["a", "b", "c", "d"], false, &round_robin()[..4]),
        ];
        insta::assert_snapshot!(results_csv(&runs).unwrap());
    }
}
