//! Results from the journal of a run.

use std::path::Path;

use anyhow::Result;

use super::{RecordedResults, choose};
use crate::cli::console;
use crate::rating::sprt::{ExcludedGames, MatchResults};
use crate::results::RunOutcome;
use stats::{Observations, Pentanomial, Wdl};

/// Reads the journal of a run, finished or not.
pub fn read(folder: &Path, engine: Option<&str>) -> Result<RecordedResults> {
    let outcome = RunOutcome::read(folder)?;
    console::note_torn_line(folder, outcome.torn_line);
    let names: Vec<&str> = outcome.config.engines.iter().map(|engine| engine.name.as_str()).collect();
    let chosen = choose(&names, engine, &folder.display().to_string())?;
    let has_several_tests = outcome.summary.has_several_tests();
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
        if has_several_tests && pairing.sprt.is_none() {
            continue;
        }
        opponents.push(names[opponent].to_owned());
    }
    let observations =
        if pairs.pairs() == 0 { Observations::of(pairs, wdl) } else { Observations::Pairs(pairs) };
    // It is not known which of several tests had decided.
    let after_decision = if has_several_tests { Wdl::default() } else { outcome.summary.after_decision };
    let results = MatchResults {
        engine: Some(names[chosen].to_owned()),
        opponents,
        wdl: Some(wdl),
        unpaired: wdl.games() - observations.games(),
        observations,
        after_decision: if chosen == 0 { after_decision } else { after_decision.reversed() },
        excluded: ExcludedGames::default(),
    };
    // A test is about one opponent.
    let test = outcome.config.sprt_of_pairing().filter(|_| results.opponents.len() == 1);
    Ok(RecordedResults { results, test })
}
