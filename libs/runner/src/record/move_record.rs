//! One move of a finished game, with everything that was known about it.

use std::time::Duration;

use compact_str::CompactString;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use super::{MoveScore, micros};

/// A move that an engine played. The moves of the opening are not among them.
///
/// Times are in microseconds in the journal. What the engine did not tell is left out. The texts are short and lie in
/// the record itself: a thread that plays makes two of them with every move and another one frees them, and so many
/// small pieces that change hands made the memory of a long run grow without end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in UCI notation.
    pub uci: CompactString,
    /// The move in standard algebraic notation.
    pub san: CompactString,
    /// How long the move took on our clock, from the last byte of `go` to the line with `bestmove`.
    #[serde(rename = "time_us", with = "micros")]
    pub time: Duration,
    /// The time left on the clock after the move, increment included; none without a clock.
    #[serde(rename = "left_us", with = "micros::option", default, skip_serializing_if = "Option::is_none")]
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
    #[serde(rename = "engine_us", with = "micros::option", default, skip_serializing_if = "Option::is_none")]
    pub engine_time: Option<Duration>,
    /// Whether the engine had been thinking about this position on its opponent's time. Its nodes and depth are those
    /// of the whole search, while the time is counted from `ponderhit`, and its own time is left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pondered: bool,
    /// The last PV, where the run asks for it: moves in UCI notation, separated by blanks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<Box<str>>,
    /// For each pattern of the run that a line of the search matched, the last such line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl MoveRecord {
    /// Our time less the engine's own: what the pipe, the scheduler and the engine's last words cost. May be negative
    /// by rounding, since engines report whole milliseconds.
    pub fn latency(&self) -> Option<SignedDuration> {
        let engine_time = self.engine_time?;
        Some(SignedDuration::try_from(self.time).ok()? - SignedDuration::try_from(engine_time).ok()?)
    }
}
