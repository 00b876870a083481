//! The record of a game: the single source of PGN, CSV and summary.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{MoveRecord, Termination, micros};
use referee::{GameResult, Side};

/// A game from first to last, as the journal holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index in the schedule, from 0.
    pub game: u32,
    /// Index of the pair of games that share an opening between the same two engines, from 0.
    pub pair: u32,
    /// Index of the engine with the white pieces, in the order of the configuration.
    pub white: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
    /// Where the engines took over.
    pub opening: OpeningRecord,
    /// The moves of the engines.
    pub moves: Vec<MoveRecord>,
    /// The score. `None` only for an abandoned game.
    pub result: Option<GameResult>,
    /// Why the game ended.
    pub termination: Termination,
    /// The side whose engine was at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offender: Option<Side>,
    /// What exactly happened, for people: the illegal move and its position, the exit code, the overrun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// By how much the clock was overstepped, margin included, in a game that was lost on time by a late move.
    #[serde(
        rename = "overrun_us",
        with = "micros::option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub overrun: Option<Duration>,
    /// The move that was not legal, as the engine sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_move: Option<String>,
    /// The warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Whether the game finished after the SPRT had stopped. It is reported, but not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_decision: bool,
    /// The last position, as FEN.
    pub final_fen: String,
    /// When the game started.
    pub started: Timestamp,
    /// How long it took.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
}

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// Index in the book as it is on disk, from 0.
    pub index: usize,
    /// The position that the moves start from, as FEN.
    pub fen: String,
    /// The moves that were played for the engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<OpeningMove>,
}

/// One move of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningMove {
    /// In UCI notation.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
}

impl GameRecord {
    /// The engine that played `side`.
    pub fn engine(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The side that made the first move after the opening.
    pub fn first_to_move(&self) -> Side {
        let white_starts = self.opening.fen.split_whitespace().nth(1) != Some("b");
        if white_starts == self.opening.moves.len().is_multiple_of(2) { Side::White } else { Side::Black }
    }

    /// The moves that the engine of one side played, in their order.
    pub fn moves_of(&self, side: Side) -> impl Iterator<Item = &MoveRecord> {
        self.moves.iter().skip(usize::from(side != self.first_to_move())).step_by(2)
    }

    /// When the game ended.
    pub fn ended(&self) -> Timestamp {
        self.started.checked_add(self.duration).unwrap_or(Timestamp::MAX)
    }

    /// The record as the journal gives it back, so that whatever is made of it now is also what a resumed run makes.
    #[must_use]
    pub(crate) fn rounded_as_in_the_journal(mut self) -> GameRecord {
        for played in &mut self.moves {
            let times = [Some(&mut played.time), played.clock_left.as_mut(), played.engine_time.as_mut()];
            times.into_iter().flatten().for_each(micros::truncate);
        }
        self.overrun.as_mut().map(micros::truncate);
        micros::truncate(&mut self.duration);
        self
    }

    /// Whether the game has a result that counts.
    pub fn is_counted(&self) -> bool {
        self.result.is_some()
    }

    /// The result, unless the game is only reported apart.
    pub fn scored_result(&self) -> Option<GameResult> {
        self.result.filter(|_| !self.after_decision)
    }

    /// The half points of an engine, by its index: 2, 1 or 0. `None` when it did not play or the game does not count.
    pub fn half_points(&self, engine: usize) -> Option<u8> {
        let side = if engine == self.white {
            Side::White
        } else if engine == self.black {
            Side::Black
        } else {
            return None;
        };
        self.result.map(|result| result.half_points(side))
    }
}

#[cfg(test)]
impl GameRecord {
    /// The first game of a made-up match, which White won without a move.
    pub(crate) fn made_up() -> GameRecord {
        GameRecord {
            game: 0,
            pair: 0,
            white: 0,
            black: 1,
            opening: OpeningRecord { index: 0, fen: String::new(), moves: Vec::new() },
            moves: Vec::new(),
            result: Some(GameResult::WhiteWins),
            termination: Termination::Checkmate,
            offender: None,
            detail: None,
            overrun: None,
            illegal_move: None,
            warnings: Vec::new(),
            after_decision: false,
            final_fen: String::new(),
            started: Timestamp::UNIX_EPOCH,
            duration: Duration::ZERO,
        }
    }
}
