//! PGN files instead of a run: which facts they have, and which they lack.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExcludedGames;
use super::pgn_ending::{PgnEnding, ToldEnding};
use referee::GameResult;
use referee::openings::RecordedGame;
use runner::{GameRecord, MoveRecord, Termination};
use stats::{PairedBy, UnclearRounds};

/// The maximum number of unknown words for endings to keep.
const MOST_NAMED: usize = 4;

/// The PGN files that the games come from. The summary omits facts that a file lacks; they are counted here.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PgnFiles {
    /// The files as they were named.
    pub files: Vec<String>,
    /// Games that are not counted, by reason.
    pub excluded: ExcludedGames,
    /// Games that cannot be read, including those of other variants.
    pub unreadable: u64,
    /// The fault of the first unreadable game, with file and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_unreadable: Vec<String>,
    /// Games that count with their moves before a fault, such as an illegal move.
    #[serde(default)]
    pub cut: u64,
    /// The first such faults, with file and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_cut: Vec<String>,
    /// The number of games of each variant but standard chess, by their tag or their position.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variants: BTreeMap<String, u64>,
    /// The number of pairs, by how they were found.
    pub paired_by: BTreeMap<PairedBy, u64>,
    /// Games whose round does not identify their pair.
    #[serde(default)]
    pub rounds: UnclearRounds,
    /// Games that are in no pair.
    pub unpaired: u64,
    /// The number of games that lack each fact.
    pub without: WithoutFact,
    /// Games whose ending only the board shows. (If the board does not show it either, the ending is `unknown`.)
    pub ended_by_board: u64,
    /// Games with the ending `unknown` whose tags or last comment describe the end in words that Arbiter does not know.
    #[serde(default)]
    pub endings_not_understood: u64,
    /// The first such words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_not_understood: Vec<String>,
    /// For each player, in the order of the engines: lost games that may have ended by a fault; the file does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexplained_losses: Vec<u64>,
    /// The day of the first game; null if no game has a date.
    pub first_day: Option<Date>,
    /// The day of the last game.
    pub last_day: Option<Date>,
    /// The number of games for each tag `TimeControl`; stages are joined by commas.
    pub time_controls: BTreeMap<String, u64>,
    /// The length of the book; null if no game shows it.
    pub book_plies: Option<BookPlies>,
}

/// The number of games in which no move has a fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WithoutFact {
    /// Games without scores.
    pub scores: u64,
    /// Games without depths.
    pub depths: u64,
    /// Games without nodes.
    pub nodes: u64,
    /// Games without times of moves.
    pub times: u64,
    /// Games without clock times.
    pub clocks: u64,
    /// Games without a date.
    pub dates: u64,
    /// Games without book moves.
    pub book: u64,
}

/// The number of book plies, in the games whose book moves are marked or shared by a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BookPlies {
    /// The fewest book plies of a game.
    pub least: usize,
    /// The most book plies of a game.
    pub most: usize,
    /// The sum of the book plies of these games.
    pub sum: usize,
    /// The number of these games.
    pub games: usize,
}

impl PgnFiles {
    /// Counts a game by its record. `has_times` says whether the file gives times, which may be zero.
    pub fn add(&mut self, game: &RecordedGame, ending: &PgnEnding, record: &GameRecord, has_times: bool) {
        let known = |is_known: bool| u64::from(!is_known);
        let any = |has: fn(&MoveRecord) -> bool| known(record.moves.iter().any(has));
        if let Some(name) = game.variant.in_pgn() {
            *self.variants.entry(name.to_owned()).or_default() += 1;
        }
        self.without.scores += any(|played| played.score.is_some());
        self.without.depths += any(|played| played.depth.is_some());
        self.without.nodes += any(|played| played.nodes.is_some());
        self.without.clocks += any(|played| played.clock_left.is_some());
        self.without.times += known(has_times);
        self.without.dates += known(record.is_dated());
        if record.is_dated() {
            let day = record.started.to_zoned(TimeZone::UTC).date();
            self.first_day = Some(self.first_day.map_or(day, |first| first.min(day)));
            self.last_day = self.last_day.max(Some(day));
        }
        let plies = record.opening.moves.len();
        self.without.book += known(plies > 0);
        if plies > 0 {
            let book =
                self.book_plies.get_or_insert(BookPlies { least: plies, most: plies, sum: 0, games: 0 });
            (book.least, book.most) = (book.least.min(plies), book.most.max(plies));
            (book.sum, book.games) = (book.sum + plies, book.games + 1);
        }
        let is_unknown = ending.termination == Termination::Unknown;
        self.ended_by_board += u64::from(!is_unknown && ending.told != ToldEnding::Understood);
        if let (true, ToldEnding::Unknown(text)) = (is_unknown, &ending.told) {
            self.endings_not_understood += 1;
            if self.first_not_understood.len() < MOST_NAMED && !self.first_not_understood.contains(text) {
                self.first_not_understood.push(text.clone());
            }
        }
        if let (true, Some(winner)) = (is_unknown, game.result.and_then(GameResult::winner))
            && ending.told != ToldEnding::Normal
        {
            let loser = record.engine(winner.other());
            self.unexplained_losses.resize(self.unexplained_losses.len().max(loser + 1), 0);
            self.unexplained_losses[loser] += 1;
        }
        let [white, black] = &game.time_controls;
        let control = if white == black { white.clone() } else { None };
        if let Some(control) = control {
            *self.time_controls.entry(control).or_default() += 1;
        }
    }
}
