//! Games for openings: PGN files and run folders.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::console;
use referee::openings::{BookFormat, BookListing, BookOptions, ListedOpening};

/// What a run folder calls its games.
const GAMES_OF_A_RUN: &str = "games.pgn";

/// The beginnings of all games, up to so many plies. Games that cannot be read or that are over by then are passed
/// over, and told.
///
/// # Errors
/// A path is no PGN file and no run folder, or no game is left.
pub(super) fn read_games(paths: &[PathBuf], most_plies: u32) -> Result<Vec<ListedOpening>> {
    let options = BookOptions { max_plies: Some(most_plies as usize), ..BookOptions::default() };
    let mut games = Vec::new();
    for path in paths {
        let path = pgn_of(path)?;
        let BookListing { name, mut openings, faults, .. } = BookListing::load(&path, &options)?;
        if let Some(first) = faults.first() {
            console::note(&format!("{name}: {} games passed over; the first: {first}", faults.len()));
        }
        games.append(&mut openings);
    }
    if games.is_empty() {
        bail!("--games: expected at least one game that can be read");
    }
    Ok(games)
}

fn pgn_of(path: &Path) -> Result<PathBuf> {
    let pgn = if path.is_dir() { path.join(GAMES_OF_A_RUN) } else { path.to_owned() };
    if !pgn.is_file() || BookFormat::of_path(&pgn) != Some(BookFormat::Pgn) {
        bail!("--games {}: expected a PGN file, or a run folder with {GAMES_OF_A_RUN}", path.display());
    }
    Ok(pgn)
}
