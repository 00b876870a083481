//! The runs below `results/` that keep their games are whole: pgn-reader reads them, every move is legal, and the files
//! agree.

use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

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
