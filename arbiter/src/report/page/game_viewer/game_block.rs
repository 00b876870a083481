//! A block of games in the data of the page.

use jiff::Timestamp;
use serde::Serialize;

use super::game_index::{GameIndex, GameRow, OpeningEntry};
use super::is_faulty;
use super::move_columns::MoveColumns;
use super::replay::Replay;
use crate::results::ending::ending;
use referee::GameResult;
use runner::GameRecord;

/// Games that are compressed together, and their lines in the index.
#[derive(Clone, Debug)]
pub struct GameBlock {
    pub games: Vec<GameData>,
    pub rows: Vec<GameRow>,
}

/// The part of a game that is only needed on the board.
#[derive(Clone, Debug, Serialize)]
pub struct GameData {
    /// Number of its pair, from 1.
    pair: u32,
    started: Timestamp,
    /// Its ending in words.
    ending: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// Why moves are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    /// The moves of the engines, as indices into the table of moves.
    moves: Vec<usize>,
    /// See [`Replay::rights`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rights: Vec<(usize, String)>,
    #[serde(flatten)]
    columns: MoveColumns,
}

impl GameBlock {
    /// A block of these games. Adds their moves, openings and endings to the tables of the index.
    pub fn new(records: &[&GameRecord], index: &mut GameIndex) -> GameBlock {
        let (games, rows) = records.iter().map(|record| entry(record, index)).unzip();
        GameBlock { games, rows }
    }
}

fn entry(record: &GameRecord, index: &mut GameIndex) -> (GameData, GameRow) {
    let replay = Replay::of(record, index.variant());
    let mut book: Vec<usize> = replay.moves.iter().map(|text| index.move_number(text)).collect();
    let moves = book.split_off(record.opening.moves.len().min(book.len()));
    let shown = &record.moves[..moves.len()];
    let row = GameRow {
        number: record.game + 1,
        white: record.white,
        black: record.black,
        result: match record.result {
            Some(GameResult::WhiteWins) => 0,
            Some(GameResult::Draw) => 1,
            Some(GameResult::BlackWins) => 2,
            None => 3,
        },
        ending: index.ending_number(record.termination),
        plies: replay.moves.len(),
        opening: index.opening_number(OpeningEntry {
            number: record.opening.index + 1,
            fen: replay.start_fen,
            moves: book,
        }),
        marks: u32::from(is_faulty(record))
            | u32::from(!record.warnings.is_empty()) << 1
            | u32::from(record.after_decision) << 2,
    };
    let data = GameData {
        pair: record.pair + 1,
        started: record.started,
        ending: ending(record),
        warnings: record.warnings.clone(),
        trouble: replay.trouble,
        moves,
        rights: replay.rights,
        columns: MoveColumns::of(shown, record.first_to_move()),
    };
    (data, row)
}
