//! PGN files instead of a run: which facts they have, and which they lack.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExcludedGames;
use super::pgn_ending::{PgnEnding, ToldEnding};
use referee::openings::RecordedGame;
use referee::{GameResult, Variant};
use runner::{GameRecord, MoveRecord, Termination};
use stats::{PairedBy, UnclearRounds};

/// How many unknown words for endings are kept.
const MOST_NAMED: usize = 4;

/// The PGN files that games are from. What a file does not say is left out of the summary, and counted here.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PgnFiles {
    /// The files as they were named.
    pub files: Vec<String>,
    /// Games that are not counted, by the reason.
    pub excluded: ExcludedGames,
    /// Games that cannot be read, those of other variants among them.
    pub unreadable: u64,
    /// What is wrong with the first of them, with file and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_unreadable: Vec<String>,
    /// Games that count with their moves up to a fault, such as an illegal move.
    #[serde(default)]
    pub cut: u64,
    /// The faults of the first of them, with file and line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_cut: Vec<String>,
    /// Games of Chess960, by their tag or their position.
    pub chess960: u64,
    /// The pairs by what they were found.
    pub paired_by: BTreeMap<PairedBy, u64>,
    /// Games whose round does not tell their pair.
    #[serde(default)]
    pub rounds: UnclearRounds,
    /// Games that are in no pair.
    pub unpaired: u64,
    /// Of how many games nothing is known.
    pub without: WithoutFact,
    /// Games of which the board alone says how they ended. Of those of the ending `unknown` nothing does.
    pub ended_by_board: u64,
    /// Games of the ending `unknown` whose tags or last comments say how they ended in words that are not known.
    #[serde(default)]
    pub endings_not_understood: u64,
    /// The first such words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_not_understood: Vec<String>,
    /// The lost games of each player, in the order of the engines, that may have ended by any fault, as nothing tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexplained_losses: Vec<u64>,
    /// The day of the first game; null where no game has a date.
    pub first_day: Option<Date>,
    /// That of the last.
    pub last_day: Option<Date>,
    /// Games by their tag `TimeControl`, stages joined by commas.
    pub time_controls: BTreeMap<String, u64>,
    /// How long the book was; null where no game tells it.
    pub book_plies: Option<BookPlies>,
}

/// The games of which no move tells something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WithoutFact {
    /// Games without scores.
    pub scores: u64,
    /// Without depths.
    pub depths: u64,
    /// Without nodes.
    pub nodes: u64,
    /// Without the time that moves took.
    pub times: u64,
    /// Without the time that was left.
    pub clocks: u64,
    /// Without a date.
    pub dates: u64,
    /// Without moves of a book.
    pub book: u64,
}

/// How many moves of the book the games have that tell or share them, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BookPlies {
    /// The fewest of a game.
    pub least: usize,
    /// The most of a game.
    pub most: usize,
    /// Of all these games together.
    pub sum: usize,
    /// How many games these are.
    pub games: usize,
}

impl PgnFiles {
    /// Counts a game by its record. `has_times` says whether the file gives times, which may be zero.
    pub fn add(&mut self, game: &RecordedGame, ending: &PgnEnding, record: &GameRecord, has_times: bool) {
        let known = |is_known: bool| u64::from(!is_known);
        let any = |has: fn(&MoveRecord) -> bool| known(record.moves.iter().any(has));
        self.chess960 += u64::from(game.variant == Variant::Chess960);
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
