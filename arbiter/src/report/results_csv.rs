//! `arbiter report --csv`: a row per pairing of one or more runs. The games are in `games.csv` of each run folder.

use serde::Serialize;

use crate::results::RunOutcome;
use crate::results::{EngineSummary, PairingSummary};
use runner::Termination;
use stats::SprtStatus;

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

/// The table with its line of headings.
///
/// # Errors
/// A row cannot be written.
pub fn results_csv(runs: &[RunOutcome]) -> csv::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for run in runs {
        let name = run.name();
        let met = run.summary.pairings.iter().filter(|pairing| pairing.wdl.games() > 0);
        for pairing in met {
            writer.serialize(row(run, &name, pairing))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
