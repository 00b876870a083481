//! Results that were recorded: in a run folder, or in PGN files.

mod pair_finder;
mod pgn_results;
mod run_results;

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::match_results::MatchResults;
use runner::process::nearest_name;
use stats::Sprt;

/// What was found in a run folder or in PGN files.
#[derive(Clone, Debug)]
pub struct RecordedResults {
    /// The results, seen by the engine asked for.
    pub results: MatchResults,
    /// The sequential test of the run, where the source is a run that had one.
    pub test: Option<Sprt>,
}

/// Reads a run folder or PGN files, and sees the games with the eyes of `engine`; without one, of the first engine of
/// the two that played.
///
/// # Errors
/// A file cannot be read or is cut off, nobody of that name played, or more than two played and none was named.
pub fn read(sources: &[PathBuf], engine: Option<&str>) -> Result<RecordedResults> {
    match sources {
        [folder] if folder.is_dir() => run_results::read(folder, engine),
        files => match files.iter().find(|path| path.is_dir()) {
            Some(folder) => bail!(
                "{}: expected one run folder and nothing else, or PGN files; found a folder among others",
                folder.display()
            ),
            None => Ok(RecordedResults { results: pgn_results::read(files, engine)?, test: None }),
        },
    }
}

/// Names that an error lists at most.
const MOST_NAMES: usize = 12;

/// Which of the players is meant, by index: the one of this name, or the first of two.
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
