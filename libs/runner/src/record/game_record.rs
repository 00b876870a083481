//! The record of a game: the single source of PGN, CSV and summary.

use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::time::Duration;

use compact_str::CompactString;
use jiff::{SignedDuration, Timestamp};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::{Termination, micros};
use referee::openings::OpeningName;
use referee::{GameResult, Side, Variant};
use stats::Outcome;
use uci::ScoreValue;

/// A game from first to last, as the journal holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index in the schedule, from 0.
    pub game: u32,
    /// Index of the pair of games that share an opening between the same two engines, from 0.
    pub pair: u32,
    /// Index of the engine with the white pieces, in the order of the configuration.
    pub white: usize,
    /// Index of the engine with the black pieces.
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
    /// What exactly happened, for people: the illegal move and its position, the exit code, the overrun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// By how much the clock was overstepped, margin included, in a game that was lost on time by a late move.
    #[serde(rename = "overrun_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub overrun: Option<Duration>,
    /// The move that was not legal, as the engine sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal_move: Option<String>,
    /// Whether the machine or the runner kept the engine from answering in time, so that the loss is not its fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
    /// The warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Whether the game finished after the SPRT had stopped. It is reported, but not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_decision: bool,
    /// The last position, as FEN.
    pub final_fen: String,
    /// The variant, where the games of a PGN file differ in it; else that of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// The hash of its moves, where a PGN file tells it.
    #[serde(skip)]
    pub moves_of_file: Option<u64>,
    /// The number of the machine that played it: 0 is the one on which the run was started.
    #[serde(default, skip_serializing_if = "crate::config::is_default")]
    pub machine: u32,
    /// When the game started; the Unix epoch where a PGN file does not say.
    pub started: Timestamp,
    /// Its duration.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
}

/// The opening of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// Index in the book as it is on disk, from 0.
    pub index: usize,
    /// Its name in the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
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

    /// ECO code and name of the opening, where the game came through a position that has one.
    pub fn opening_name(&self, variant: Variant) -> Option<OpeningName> {
        let book = self.opening.moves.iter().map(|played| played.uci.as_str());
        let moves = book.chain(self.moves.iter().map(|played| played.uci.as_str()));
        OpeningName::of_game(&self.opening.fen, variant, moves)
    }

    /// Whether it is known when the game was played.
    pub fn is_dated(&self) -> bool {
        self.started != Timestamp::UNIX_EPOCH
    }

    /// Whether the time of any move is known.
    pub fn is_timed(&self) -> bool {
        self.moves.iter().any(|played| !played.time.is_zero())
    }

    /// A hash of the start, of all moves, and of the result; `None` where the engines made no move. That of a game of a PGN
    /// file is what the reader of the file says.
    pub fn moves_hash(&self) -> Option<u64> {
        if self.moves_of_file.is_some() {
            return self.moves_of_file;
        }
        let mut hasher = FxBuildHasher.build_hasher();
        self.opening.fen.hash(&mut hasher);
        self.opening.moves.iter().for_each(|played| played.uci.hash(&mut hasher));
        // Without the numbers of moves, which a book may have or not.
        self.final_fen.split(' ').take(4).for_each(|field| field.hash(&mut hasher));
        self.moves.iter().for_each(|played| played.uci.hash(&mut hasher));
        self.result.hash(&mut hasher);
        (!self.moves.is_empty()).then(|| hasher.finish())
    }

    /// When the game ended.
    pub fn ended(&self) -> Timestamp {
        self.started.checked_add(self.duration).unwrap_or(Timestamp::MAX)
    }

    /// The record as the journal gives it back, so that whatever is made of it now is also what a resumed run makes.
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

    /// The result, unless the game is only reported apart.
    pub fn scored_result(&self) -> Option<GameResult> {
        self.result.filter(|_| !self.after_decision)
    }

    /// The outcome for an engine, by its index. `None` when it did not play or the game does not count.
    pub fn outcome(&self, engine: usize) -> Option<Outcome> {
        let side = [Side::White, Side::Black].into_iter().find(|side| self.engine(*side) == engine)?;
        self.result.map(|result| Outcome::of_half_points(result.half_points(side)))
    }

    /// The same, unless the game is only reported apart.
    pub fn scored_outcome(&self, engine: usize) -> Option<Outcome> {
        self.outcome(engine).filter(|_| !self.after_decision)
    }
}

#[cfg(test)]
impl GameRecord {
    pub(crate) fn of_pairing(pairing: crate::Pairing, result: GameResult) -> GameRecord {
        let crate::Pairing { game, pair, white, black, .. } = pairing;
        GameRecord { game, pair, white, black, result: Some(result), ..GameRecord::made_up() }
    }

    /// The first game of a made-up match, which White won without a move.
    pub(crate) fn made_up() -> GameRecord {
        let (result, termination) = (Some(GameResult::WhiteWins), Termination::Checkmate);
        GameRecord { black: 1, result, termination, ..GameRecord::default() }
    }
}

/// A move that an engine played. The moves of the opening are not among them.
///
/// Times are in microseconds in the journal. What the engine did not tell is left out. The texts are short and lie in
/// the record itself: a thread that plays makes two of them with every move and another one frees them, and so many
/// small pieces that change hands made the memory of a long run grow without end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in UCI notation.
    pub uci: CompactString,
    /// The move in standard algebraic notation.
    pub san: CompactString,
    /// How long the move took on our clock, from the last byte of `go` to the line with `bestmove`.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The time left on the clock after the move, increment included; none without a clock.
    #[serde(rename = "left_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub clock_left: Option<Duration>,
    /// The last exact score that the engine reported, or the last bound where there was no exact one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<MoveScore>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Selective depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched for this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// The time that the engine itself reported last, to the millisecond.
    #[serde(rename = "engine_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub engine_time: Option<Duration>,
    /// How much of the time came after the engine had told its own last, from a millisecond on: as a rule an iteration
    /// that it did not finish.
    #[serde(rename = "silent_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Duration>,
    /// Whether the engine had been thinking about this position on its opponent's time. Its nodes and depth are those
    /// of the whole search, while the time is counted from `ponderhit`, and its own time is left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pondered: bool,
    /// Whether a book of the engine made the move, which then took no time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_book: bool,
    /// The last PV, where the run asks for it: moves in UCI notation, separated by blanks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Box<str>>,
    /// For each pattern of the run that a line of the search matched, the last such line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl MoveRecord {
    /// Our time less the engine's own, at its last report: what the pipe and the scheduler cost. What the engine did after
    /// that report is its own. May be negative by rounding, since engines report whole milliseconds.
    pub fn latency(&self) -> Option<SignedDuration> {
        let silence = SignedDuration::try_from(self.silence.unwrap_or_default()).ok()?;
        Some(self.unreported_time()? - silence)
    }

    /// Our time less the engine's own, which fastchess calls latency.
    pub fn unreported_time(&self) -> Option<SignedDuration> {
        let engine_time = self.engine_time?;
        Some(SignedDuration::try_from(self.time).ok()? - SignedDuration::try_from(engine_time).ok()?)
    }
}

/// What the engine thought of its own position when it moved. In the journal `{"cp":31}` or `{"mate":-4}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveScore {
    /// Hundredths of a pawn, from the point of view of the side that moved.
    Cp(i32),
    /// Full moves to mate, negative when the side that moved is the one to be mated.
    Mate(i32),
}

impl MoveScore {
    /// The score in centipawns for rules that only ask how large it is: a mate counts as more than any evaluation, and one
    /// in 0 moves as nothing.
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

/// In pawns with a sign, or as moves to mate: `+0.31`, `-M4`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_print_in_pawns_or_as_mates() {
        for (score, text) in [
            (MoveScore::Cp(31), "+0.31"),
            (MoveScore::Cp(-250), "-2.50"),
            (MoveScore::Mate(3), "+M3"),
            (MoveScore::Mate(-4), "-M4"),
            (MoveScore::Mate(0), "0.00"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }
}
