//! Results from a run folder or from PGN files.

mod pgn_results;
mod run_results;

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::match_results::MatchResults;
use runner::process::nearest_name;
use stats::Sprt;

/// The results of a run folder or of PGN files.
#[derive(Clone, Debug)]
pub struct RecordedResults {
    /// The results of the chosen engine.
    pub results: MatchResults,
    /// The SPRT of the run, if the source is a run with an SPRT.
    pub test: Option<Sprt>,
}

/// Reads a run folder or PGN files. The results are for `engine`, or for the first of two engines.
pub fn read(sources: &[PathBuf], engine: Option<&str>) -> Result<RecordedResults> {
    match sources {
        [folder] if folder.is_dir() => run_results::read(folder, engine),
        files => match files.iter().find(|path| path.is_dir()) {
            Some(folder) => bail!(
                "{}: expected either one run folder or PGN files, found this folder among several arguments",
                folder.display()
            ),
            None => Ok(RecordedResults { results: pgn_results::read(files, engine)?, test: None }),
        },
    }
}

/// The most names that an error lists.
const MOST_NAMES: usize = 12;

/// The index of the player with this name, or of the first of two players.
fn choose(players: &[&str], engine: Option<&str>, place: &str) -> Result<usize> {
    let mut names = players.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
    if players.len() > MOST_NAMES {
        names += ", …";
    }
    let Some(name) = engine else {
        return match players.len() {
            2 => Ok(0),
            1 => bail!("{place}: expected games of two players, found only {names}"),
            count => bail!("--engine: expected the name of one of the {count} players of {place}: {names}"),
        };
    };
    let index = players.iter().position(|player| *player == name);
    index.ok_or_else(|| {
        let hint = nearest_name(name, players.iter().copied());
        let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
        anyhow!("--engine {name}: expected one of the players of {place}: {names}{hint}")
    })
}
