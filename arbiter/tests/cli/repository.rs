//! What this repository promises of itself: layers of the harness, and whole runs below `results/`.

use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use regex_lite::Regex;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

fn layers() -> Vec<String> {
    let text = fs::read_to_string(format!("{SOURCES}/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let names = rows.flat_map(|row| {
        let cell = row.split(" | ").next().unwrap();
        cell.split("`, `").map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>()
    });
    names.collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a file imports from a folder that is not above its own.
fn upward(layers: &[String], layer: &str, text: &str) -> Vec<String> {
    let place = |name: &str| layers.iter().position(|known| known == name);
    let own = place(layer).unwrap_or_else(|| panic!("`{layer}` is not in the table of lib.rs"));
    let paths = Regex::new(r"\bcrate::([a-z_]+)").unwrap();
    let named = paths.captures_iter(text).map(|path| path[1].to_owned());
    named.filter(|name| place(name).is_none_or(|found| found > own)).collect()
}

#[test]
fn no_folder_imports_one_below_it() {
    let layers = layers();
    for file in sources(Path::new(SOURCES)) {
        let inside = file.strip_prefix(SOURCES).unwrap();
        let layer = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if matches!(layer, "lib" | "main") {
            continue;
        }
        let found = upward(&layers, layer, &fs::read_to_string(&file).unwrap());
        assert!(found.is_empty(), "{}: imports {}", inside.display(), found.join(", "));
    }
}

#[test]
fn an_import_from_below_is_found() {
    let layers = ["text", "report", "run"].map(str::to_owned);
    let text = "use crate::text::Table;\nuse crate::run::Played;";
    assert_eq!(upward(&layers, "report", text), ["run"]);
}

fn run_folders() -> Vec<PathBuf> {
    let results = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("results");
    let folders = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<PathBuf> = folders.filter(|path| path.join("games.pgn").exists()).collect();
    assert!(folders.len() >= 2, "{folders:?}");
    folders
}

/// Replays a game; the output is the number of moves, or the first that is illegal.
struct Replay;

struct Board {
    position: Chess,
    moves: usize,
}

impl Visitor for Replay {
    type Tags = Chess;
    type Movetext = Board;
    type Output = Result<usize, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, position: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).map_err(|error| error.to_string());
            match fen.and_then(|fen| fen.into_position(CastlingMode::Standard).map_err(|e| e.to_string())) {
                Ok(start) => *position = start,
                Err(error) => return ControlFlow::Break(Err(error)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, position: Chess) -> ControlFlow<Self::Output, Board> {
        ControlFlow::Continue(Board { position, moves: 0 })
    }

    fn san(&mut self, board: &mut Board, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&board.position) {
            Ok(legal) => board.position.play_unchecked(legal),
            Err(error) => return ControlFlow::Break(Err(format!("{san}: {error}"))),
        }
        board.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, board: Board) -> Self::Output {
        Ok(board.moves)
    }
}

#[test]
fn every_move_of_every_game_is_legal_and_the_table_has_as_many_plies() {
    for folder in run_folders() {
        let table = fs::read_to_string(folder.join("games.csv")).unwrap();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let plies_at = rows.headers().unwrap().iter().position(|name| name == "plies").unwrap();
        let plies: Vec<usize> = rows.records().map(|row| row.unwrap()[plies_at].parse().unwrap()).collect();
        let mut reader = Reader::new(BufReader::new(File::open(folder.join("games.pgn")).unwrap()));
        let replayed: Vec<usize> = reader
            .read_games(&mut Replay)
            .map(|game| game.unwrap().unwrap_or_else(|error| panic!("{}: {error}", folder.display())))
            .collect();
        assert_eq!(replayed, plies, "{}", folder.display());
    }
}
