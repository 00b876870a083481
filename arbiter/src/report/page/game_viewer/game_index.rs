//! The index of the games: a row for each game, and the tables that rows and games refer to.

use indexmap::IndexSet;
use serde::{Serialize, Serializer};

use crate::folder::pgn_time_control;
use crate::results::ending::{label, pgn_termination};
use referee::Variant;
use runner::{GameLogs, RunConfig, Termination};

#[derive(Clone, Debug, Default, Serialize)]
pub struct GameIndex {
    event: String,
    site: String,
    #[serde(skip)]
    pub variant: Variant,
    #[serde(skip)]
    pub logs: GameLogs,
    engines: Vec<EngineEntry>,
    endings: IndexSet<EndingEntry>,
    /// All distinct moves as `Nf3 g1.f3N`: SAN and changes on the board. Games refer to them by index.
    moves: IndexSet<String>,
    openings: IndexSet<OpeningEntry>,
    games: Vec<PlacedRow>,
}

/// An engine and its time control as PGN writes them.
#[derive(Clone, Debug, Serialize)]
struct EngineEntry {
    name: String,
    pace: String,
}

/// A termination, as our tables and as PGN files call it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct EndingEntry {
    name: String,
    pgn: &'static str,
}

/// An opening: its number in the book from 1, the start position, and its moves as indices into the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct OpeningEntry {
    pub number: usize,
    pub fen: String,
    pub moves: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct GameRow {
    /// Counts from 1.
    pub number: u32,
    pub white: usize,
    pub black: usize,
    /// 0 for a win of White, 1 for a draw, 2 for a win of Black, 3 for no result.
    pub result: u32,
    pub ending: usize,
    pub opening: usize,
    /// Includes the moves of the opening.
    pub plies: usize,
    /// A sum: 1 for a fault, 2 for warnings, 4 for a game after the SPRT decision.
    pub marks: u32,
}

/// A row and where its game is: the index of its block and its index in the block. Serialized as an array.
#[derive(Clone, Debug)]
struct PlacedRow {
    row: GameRow,
    block: usize,
    place: usize,
}

impl GameIndex {
    pub fn new(config: &RunConfig) -> GameIndex {
        let engines: Vec<EngineEntry> = (0..config.engines.len())
            .map(|engine| EngineEntry {
                name: config.engines[engine].name.clone(),
                pace: match config.limits_of(engine) {
                    // A PGN file without a time control.
                    limits if config.is_of_files() && !limits.is_timed() => "?".to_owned(),
                    limits => pgn_time_control(limits),
                },
            })
            .collect();
        let event = match engines.as_slice() {
            [first, second] => format!("{} - {}", first.name, second.name),
            _ => format!("Tournament of {}", engines.len()),
        };
        let machine = config.made.as_ref().map_or("?", |made| &made.cpu);
        GameIndex {
            event: config.pgn.event.clone().unwrap_or(event),
            site: config.pgn.site.as_deref().unwrap_or(machine).to_owned(),
            variant: config.variant,
            logs: config.logs.clone(),
            engines,
            ..GameIndex::default()
        }
    }

    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// The index of a move in the table; appends a new move.
    pub fn move_number(&mut self, text: &str) -> usize {
        self.moves.get_index_of(text).unwrap_or_else(|| self.moves.insert_full(text.to_owned()).0)
    }

    pub fn ending_number(&mut self, termination: Termination) -> usize {
        let entry = EndingEntry { name: label(termination), pgn: pgn_termination(termination) };
        self.endings.insert_full(entry).0
    }

    pub fn opening_number(&mut self, opening: OpeningEntry) -> usize {
        self.openings.insert_full(opening).0
    }

    pub fn add(&mut self, block: usize, rows: Vec<GameRow>) {
        let placed = rows.into_iter().enumerate().map(|(place, row)| PlacedRow { row, block, place });
        self.games.extend(placed);
    }

    pub fn finished(mut self) -> GameIndex {
        self.games.sort_by_key(|placed| placed.row.number);
        self
    }
}

impl Serialize for PlacedRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PlacedRow { row, block, place } = self;
        let fields = [
            row.number as usize, row.white, row.black, row.result as usize, row.ending, row.opening,
            row.plies, row.marks as usize, *block, *place,
        ];
        fields.serialize(serializer)
    }
}
