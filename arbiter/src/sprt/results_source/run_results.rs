//! The results of a run, as its journal has them.

use std::path::Path;

use anyhow::Result;

use super::{RecordedResults, choose};
use crate::cli::console;
use crate::report::RunOutcome;
use crate::sprt::{LeftOut, MatchResults};
use stats::{Observations, Pentanomial, Wdl};

/// Reads the journal of a run folder, whether the run is over or not.
///
/// # Errors
/// It has none, a line of it cannot be read, or `engine` is not one of the run.
pub fn read(folder: &Path, engine: Option<&str>) -> Result<RecordedResults> {
    let outcome = RunOutcome::read(folder)?;
    console::note_torn_line(folder, outcome.torn_line);
    let names: Vec<&str> = outcome.config.engines.iter().map(|engine| engine.name.as_str()).collect();
    let chosen = choose(&names, engine, &folder.display().to_string())?;
    let (mut wdl, mut pairs, mut opponents) = (Wdl::default(), Pentanomial::default(), Vec::new());
    for pairing in &outcome.summary.pairings {
        let (opponent, games, their_pairs) = match (pairing.first, pairing.second) {
            (first, second) if first == chosen => (second, pairing.wdl, pairing.pentanomial),
            (first, second) if second == chosen => {
                (first, pairing.wdl.reversed(), pairing.pentanomial.reversed())
            }
            _ => continue,
        };
        wdl += games;
        pairs += their_pairs;
        opponents.push(names[opponent].to_owned());
    }
    let observations = Observations::Pairs(pairs);
    // Only a match of two has a test, and its summary is seen by the first engine.
    let after_decision = outcome.summary.after_decision;
    let results = MatchResults {
        engine: Some(names[chosen].to_owned()),
        opponents,
        wdl: Some(wdl),
        without_partner: wdl.games() - observations.games(),
        observations,
        after_decision: if chosen == 0 { after_decision } else { after_decision.reversed() },
        left_out: LeftOut::default(),
    };
    Ok(RecordedResults { results, test: outcome.config.sprt })
}
