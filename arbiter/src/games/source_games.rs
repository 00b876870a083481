//! Reads the games of PGN files and run folders into memory.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::console;
use crate::games::mine::SourceGame;
use referee::Variant;
use referee::openings::RecordedGame;
use runner::{GameRecord, MoveScore, RunJournal};

/// Reads the games of PGN files and run folders. They are interleaved: the first game of every source, then the second
/// game of every source and so on, so that the first games of the list come from all sources.
pub fn read(sources: &[PathBuf]) -> Result<Vec<SourceGame>> {
    let mut games = Vec::new();
    for source in sources {
        let games_of_source = if source.is_dir() { of_run(source)? } else { of_pgn(source)? };
        games.extend(games_of_source.into_iter().enumerate());
    }
    // The sort is stable: games of the same number stay in the order of their sources.
    games.sort_by_key(|(number, _)| *number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

fn of_pgn(file: &Path) -> Result<Vec<SourceGame>> {
    let name = name_of(file);
    let mut games = Vec::new();
    let skipped = RecordedGame::load_each(file, |game| {
        let known = |player: Option<String>| player.unwrap_or_else(|| "?".to_owned());
        let title = title(&name, games.len(), &known(game.white), &known(game.black));
        games.push(SourceGame { title, start_fen: game.start_fen, moves: game.moves, scores: Vec::new() });
        ControlFlow::Continue(())
    })?;
    console::warn_of_skipped(&file.display().to_string(), "game", &skipped);
    Ok(games)
}

/// The games of a journal, compressed or not, in the order of the schedule. A game that was abandoned and replayed counts
/// once.
fn of_run(folder: &Path) -> Result<Vec<SourceGame>> {
    let RunJournal { config, events, .. } = open_run(folder)?;
    let games = events.games_by_number(|_| {})?;
    let name = name_of(folder);
    let player = |index: usize| config.engines.get(index).map_or("?", |engine| engine.name.as_str());
    let source_game = |record: GameRecord| {
        let unknown = record.opening.moves.iter().map(|_| None);
        let known = record.moves.iter().map(|played| played.score.map(MoveScore::clamped_centipawns));
        let scores = unknown.chain(known).collect();
        let opening = record.opening.moves.into_iter().map(|played| played.uci);
        let moves = opening.chain(record.moves.into_iter().map(|played| played.uci.to_string())).collect();
        let title = title(&name, record.game as usize, player(record.white), player(record.black));
        SourceGame { title, start_fen: Some(record.opening.fen), moves, scores }
    };
    Ok(games.into_values().map(source_game).collect())
}

/// Opens the journal of a run of standard chess.
pub fn open_run(folder: &Path) -> Result<RunJournal> {
    let journal = RunJournal::open(folder)?;
    if journal.config.variant != Variant::Standard {
        let (path, variant) = (journal.events.path().display(), journal.config.variant);
        bail!("{path}: expected games of standard chess, found {variant}");
    }
    Ok(journal)
}

/// The name of a game in messages and suites; `index` counts from 0.
pub fn title(source: &str, index: usize, white: &str, black: &str) -> String {
    format!("{source}, game {}: {white} - {black}", index + 1)
}

/// The name of a file or folder, without extensions.
pub fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let endings = [".gz", ".zst", ".pgn"];
    endings.iter().fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(&name).to_owned())
}
