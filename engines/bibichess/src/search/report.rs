//! What the search tells.

use chess::Move;

use crate::depth::Depth;
use crate::ply::Ply;
use crate::value::Value;

/// An iteration that was finished.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its depth.
    pub depth: Depth,
    /// The ply that no line went beyond.
    pub deepest: Ply,
    /// The value of the position.
    pub value: Value,
    /// The line that both sides are expected to play.
    pub line: Vec<Move>,
    /// Nodes since the search began.
    pub nodes: u64,
    /// How full the hash table is, in thousandths.
    pub hashfull: u32,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The last iteration that was finished, if any was.
    pub last: Option<Report>,
    /// The move to play: that of the last iteration, or the first there is. `None` where there is no legal move.
    pub best: Option<Move>,
    /// All nodes, those of the iteration that was not finished among them.
    pub nodes: u64,
}
