//! `arbiter report --json`: everything about one or more runs but their games, for other programs.
//!
//! The format is described by `docs/report.schema.json`, a JSON Schema.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::verdict::{quote, verdict};
use crate::results::RunPhase;
use crate::results::Summary;
use crate::results::{FaultyGame, RunOutcome};
use runner::{RunConfig, micros};

/// The whole file. `schema` changes if a field changes its meaning or is removed. Readers must ignore unknown fields,
/// because adding one does not change `schema`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultsJson {
    /// The version of this format.
    pub schema: u32,
    /// The version of the program that wrote it.
    pub arbiter: String,
    /// The runs in the order of the command line.
    pub runs: Vec<RunJson>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunJson {
    /// The name of its folder.
    pub name: String,
    /// When it began.
    pub started: Timestamp,
    /// Whether it is running, and if not, why.
    pub state: RunPhase,
    /// The verdict, one sentence in English.
    pub verdict: String,
    /// One line to be quoted, for a match of two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Score, Elo, sequential test and faults, as in `summary.json`.
    pub summary: Summary,
    /// The games that an engine lost by a fault.
    pub faulty_games: Vec<FaultyGame>,
    /// The time for which the machine was noisy; in microseconds in the file.
    #[serde(rename = "noisy_us", with = "micros")]
    pub noisy: Duration,
    /// The configuration, as in `run.toml`.
    pub config: RunConfig,
}

impl ResultsJson {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 2;

    /// The JSON of these runs.
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

    /// The file.
    ///
    /// # Errors
    /// A number cannot be written as JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
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
