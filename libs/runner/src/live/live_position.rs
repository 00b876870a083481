//! A position of a game that is being played.

use std::time::Duration;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::{MoveScore, micros};

/// The board as it is before a move, with all that led to it, so that whoever comes late needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePosition {
    /// Index in the schedule, from 0.
    pub game: u32,
    /// The position that the moves start from, as FEN.
    pub start: String,
    /// The position on the board, as FEN.
    pub fen: String,
    /// The last move in UCI notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<CompactString>,
    /// All moves in standard algebraic notation, those of the opening included.
    pub moves: Vec<CompactString>,
    /// Who has the white pieces.
    pub white: LiveSide,
    /// Who has the black pieces.
    pub black: LiveSide,
}

/// One side of a game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSide {
    /// Index of the engine.
    pub engine: usize,
    /// What its clock shows; none in games without a clock.
    #[serde(rename = "left_us", with = "micros::option", default, skip_serializing_if = "Option::is_none")]
    pub clock_left: Option<Duration>,
    /// What it thought of its position when it moved last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<MoveScore>,
    /// How deep it searched then, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}
