//! The record of a game: the only source of PGN, CSV and summary.

use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::time::Duration;

use compact_str::CompactString;
use jiff::{SignedDuration, Timestamp};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::micros;
use crate::termination::Termination;
use referee::openings::OpeningName;
use referee::{GameResult, Side, Variant};
use stats::Outcome;
use uci::ScoreValue;

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    /// The index of its pair; both games have the same opening.
    pub pair: u32,
    /// The index of the engine with the white pieces.
    pub white: usize,
    /// The index of the engine with the black pieces.
    pub black: usize,
    /// The index of the round.
    pub round: u32,
}

impl Pairing {
    pub(crate) const fn engine(&self, side: Side) -> usize {
        [self.white, self.black][side as usize]
    }
}

/// A complete game, as the journal holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    /// The index of its pair, from 0: two games with the same opening and engines and with colours reversed.
    pub pair: u32,
    /// The index of the engine with the white pieces, in the order of the configuration.
    pub white: usize,
    /// The index of the engine with the black pieces.
    pub black: usize,
    /// The opening, after which the engines play.
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
    /// The details in words: the illegal move and its position, the exit code, the overrun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// By how much the last move exceeded the time, margin included, if the game was lost on time by a late move.
    #[serde(rename = "overrun_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub overrun: Option<Duration>,
    /// The illegal move as the engine sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_move: Option<String>,
    /// Whether the machine or the runner kept the engine from answering in time, so that the loss is not its fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
    /// What was noticed but decided nothing, in words after the side that it concerns: `White: …`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Whether the game ended after the SPRT had stopped. It is reported, but not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_decision: bool,
    /// The final position as FEN.
    pub final_fen: String,
    /// The variant, if the games of a PGN file differ in it; otherwise the run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// The hash of the moves, if the game is from a PGN file.
    #[serde(skip)]
    pub moves_of_file: Option<u64>,
    /// The number of the machine that played the game; 0 is the machine on which the run was started.
    #[serde(default, skip_serializing_if = "crate::config::is_default")]
    pub machine: u32,
    /// When the game started; the Unix epoch if a PGN file does not say.
    pub started: Timestamp,
    /// The time from `started` to the end of the game.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
}

/// The opening of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// The index in the book file, from 0.
    pub index: usize,
    /// The name in the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The position that the moves start from, as FEN.
    pub fen: String,
    /// The moves that were played before the engines took over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<OpeningMove>,
}

/// One move of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
}

impl GameRecord {
    /// The engine that played `side`.
    pub fn engine(&self, side: Side) -> usize {
        [self.white, self.black][side as usize]
    }

    /// The side that made the first move after the opening.
    pub fn first_to_move(&self) -> Side {
        let white_starts = self.opening.fen.split_whitespace().nth(1) != Some("b");
        if white_starts == self.opening.moves.len().is_multiple_of(2) { Side::White } else { Side::Black }
    }

    /// The moves that the engine of one side played, in order.
    pub fn moves_of(&self, side: Side) -> impl Iterator<Item = &MoveRecord> {
        self.moves.iter().skip(usize::from(side != self.first_to_move())).step_by(2)
    }

    /// The ECO code and name of the opening, if the game reached a position that has one.
    pub fn opening_name(&self, variant: Variant) -> Option<OpeningName> {
        let book = self.opening.moves.iter().map(|played| played.uci.as_str());
        let moves = book.chain(self.moves.iter().map(|played| played.uci.as_str()));
        OpeningName::of_game(&self.opening.fen, variant, moves)
    }

    /// Whether the start time of the game is known.
    pub fn is_dated(&self) -> bool {
        self.started != Timestamp::UNIX_EPOCH
    }

    /// Whether the time of any move is known.
    pub fn is_timed(&self) -> bool {
        self.moves.iter().any(|played| !played.time.is_zero())
    }

    /// A hash of the start position, all moves, and the result; `None` if the engines made no move. If the game is from a
    /// PGN file, the reader of the file has computed it.
    pub fn moves_hash(&self) -> Option<u64> {
        if self.moves_of_file.is_some() {
            return self.moves_of_file;
        }
        let mut hasher = FxBuildHasher.build_hasher();
        self.opening.fen.hash(&mut hasher);
        self.opening.moves.iter().for_each(|played| played.uci.hash(&mut hasher));
        // The move numbers are left out, since a book may have them or not.
        self.final_fen.split(' ').take(4).for_each(|field| field.hash(&mut hasher));
        self.moves.iter().for_each(|played| played.uci.hash(&mut hasher));
        self.result.hash(&mut hasher);
        (!self.moves.is_empty()).then(|| hasher.finish())
    }

    /// When the game ended.
    pub fn ended(&self) -> Timestamp {
        self.started.checked_add(self.duration).unwrap_or(Timestamp::MAX)
    }

    /// The record as the journal stores it, so that results computed now are the same as those after a resume.
    #[must_use]
    pub(crate) fn rounded_as_in_the_journal(mut self) -> GameRecord {
        for played in &mut self.moves {
            let own = [played.engine_time.as_mut(), played.silence.as_mut()];
            let times = [Some(&mut played.time), played.clock_left.as_mut()].into_iter().chain(own);
            times.flatten().for_each(micros::truncate);
        }
        self.overrun.as_mut().map(micros::truncate);
        micros::truncate(&mut self.duration);
        self
    }

    /// Whether the game has a result that counts.
    pub fn is_counted(&self) -> bool {
        self.result.is_some()
    }

    /// The outcome for an engine, by its index. `None` if it did not play or the game does not count.
    pub fn outcome(&self, engine: usize) -> Option<Outcome> {
        let side = [Side::White, Side::Black].into_iter().find(|side| self.engine(*side) == engine)?;
        self.result.map(|result| Outcome::of_half_points(result.half_points(side)))
    }

    /// The outcome for an engine, unless the game ended after the SPRT had stopped.
    pub fn scored_outcome(&self, engine: usize) -> Option<Outcome> {
        self.outcome(engine).filter(|_| !self.after_decision)
    }
}

#[cfg(test)]
impl GameRecord {
    pub(crate) fn of_pairing(pairing: Pairing, result: GameResult) -> GameRecord {
        let Pairing { game, pair, white, black, .. } = pairing;
        GameRecord { game, pair, white, black, result: Some(result), ..GameRecord::made_up() }
    }

    pub(crate) fn won_by(engine: usize, pairing: Pairing) -> GameRecord {
        let winner = if pairing.white == engine { Side::White } else { Side::Black };
        GameRecord::of_pairing(pairing, GameResult::won_by(winner))
    }

    /// The first game of a made-up match, which White won without a move.
    pub(crate) fn made_up() -> GameRecord {
        let (result, termination) = (Some(GameResult::WhiteWins), Termination::Checkmate);
        GameRecord { black: 1, result, termination, ..GameRecord::default() }
    }
}

/// A move that an engine played; moves of the opening are not included.
///
/// Times are in microseconds in the journal. What the engine did not report is left out. The notations are short and stored
/// inline: otherwise a playing thread would allocate two strings for each move that another thread frees, which made the
/// memory use of long runs grow without bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in UCI notation.
    pub uci: CompactString,
    /// The move in standard algebraic notation.
    pub san: CompactString,
    /// How long the move took by the runner's clock, from the last byte of `go` to the line with `bestmove`.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The time left on the clock after the move, increment included; `None` without a clock.
    #[serde(rename = "left_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub clock_left: Option<Duration>,
    /// The last exact score that the engine reported, or the last bound if there was no exact one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<MoveScore>,
    /// The depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The selective depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The nodes searched for this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// How full the hash table is, in permill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u32>,
    /// The number of tablebase hits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// The last time that the engine itself reported, to the millisecond.
    #[serde(rename = "engine_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub engine_time: Option<Duration>,
    /// The part of the time after the engine had last reported its own, if it is at least a millisecond: usually an
    /// iteration that it did not finish.
    #[serde(rename = "silent_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Duration>,
    /// Whether the engine had been pondering on this position. Its nodes and depth cover the whole search, while the time
    /// is counted from `ponderhit`, and its own time is left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pondered: bool,
    /// Whether the engine's own book made the move, which then took no time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_book: bool,
    /// The last PV, if the run asks for it: moves in UCI notation, separated by spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Box<str>>,
    /// For each pattern of the run that a line of the search matched, the last such line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl MoveRecord {
    /// The runner's time minus the engine's own at its last report: the cost of the pipe and the scheduler. What the engine
    /// did after that report is not included. It may be negative by rounding, since engines report whole milliseconds.
    pub fn latency(&self) -> Option<SignedDuration> {
        let silence = SignedDuration::try_from(self.silence.unwrap_or_default()).ok()?;
        Some(self.unreported_time()? - silence)
    }

    /// The runner's time minus the engine's own, which fastchess calls latency.
    pub fn unreported_time(&self) -> Option<SignedDuration> {
        let engine_time = self.engine_time?;
        Some(SignedDuration::try_from(self.time).ok()? - SignedDuration::try_from(engine_time).ok()?)
    }
}

/// The engine's score when it moved. In the journal `{"cp":31}` or `{"mate":-4}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveScore {
    /// Centipawns, from the point of view of the side that moved.
    Cp(i32),
    /// Full moves to mate, negative if the side that moved will be mated.
    Mate(i32),
}

impl MoveScore {
    /// The score in centipawns for rules that only ask how large it is: a mate counts as more than any evaluation, and a
    /// mate in 0 as zero.
    pub const fn clamped_centipawns(self) -> i32 {
        match self {
            MoveScore::Cp(value) => value,
            MoveScore::Mate(moves) => ScoreValue::Mate(moves).in_centipawns(1_000_000),
        }
    }
}

impl From<ScoreValue> for MoveScore {
    fn from(value: ScoreValue) -> MoveScore {
        match value {
            ScoreValue::Centipawns(value) => MoveScore::Cp(value),
            ScoreValue::Mate(moves) => MoveScore::Mate(moves),
        }
    }
}

/// Writes pawns with a sign, or moves to mate: `+0.31`, `-M4`.
impl fmt::Display for MoveScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveScore::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            MoveScore::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            MoveScore::Mate(0) => f.write_str("0.00"),
            MoveScore::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}
