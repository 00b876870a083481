//! What a run folder says about its games, without what no two runs share: dates and times.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use runner::{Event, JOURNAL_FILE, Journal};

use crate::workbench::Workbench;

/// A row of `games.csv`, by its columns.
pub type Row = BTreeMap<String, String>;

/// The rows of `games.csv`.
pub fn rows(bench: &Workbench, run: &str) -> Vec<Row> {
    let text = bench.read(&format!("{run}/games.csv"));
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

/// The distinct values of a column, sorted.
pub fn values(bench: &Workbench, run: &str, column: &str) -> Vec<String> {
    let mut values: Vec<String> =
        rows(bench, run).into_iter().map(|mut row| row.remove(column).unwrap()).collect();
    values.sort();
    values.dedup();
    values
}

/// The events of the journal that are whole, also while it is being written.
pub fn events(bench: &Workbench, run: &str) -> Vec<Event> {
    Journal::read(&bench.path(run).join(JOURNAL_FILE)).unwrap_or_default()
}

/// The numbers of the games that the journal has results of, in the order in which they ended.
pub fn journalled(bench: &Workbench, run: &str) -> Vec<u32> {
    let game = |event: Event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(record.game),
        _ => None,
    };
    events(bench, run).into_iter().filter_map(game).collect()
}

/// A game as pgn-reader sees it: tags other than dates, then the moves.
#[derive(Debug, Default, PartialEq)]
pub struct Game {
    /// Tags by their name.
    pub tags: BTreeMap<String, String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The games of `games.pgn`.
pub fn games(bench: &Workbench, run: &str) -> Vec<Game> {
    let text = bench.read(&format!("{run}/games.pgn"));
    let mut reader = Reader::new(Cursor::new(text));
    reader.read_games(&mut GameCollector).map(Result::unwrap).collect()
}

struct GameCollector;

impl Visitor for GameCollector {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        if !matches!(name.as_str(), "Date" | "UTCDate" | "UTCTime") {
            game.tags.insert(name, value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}
