//! What a search tells while it runs.

use std::time::Duration;

use super::principal_variation::Line;
use crate::transposition_table::Bound;
use crate::{Depth, Nodes, Ply, Value};

/// One of the best lines at the end of an iteration, or on the way there.
#[derive(Clone, Debug)]
pub struct Report {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The deepest ply visited so far.
    pub deepest: Ply,
    /// Which of the best lines this is, from 0.
    pub line_index: usize,
    /// The value for the side to move at the root.
    pub value: Value,
    /// Whether `value` is exact or the edge of a window.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: Nodes,
    /// Thousandths of the transposition table in use.
    pub hashfull: u32,
    /// Positions found in endgame tables so far; `None` if there are no tables.
    pub tb_hits: Option<u64>,
    /// Time since `go`.
    pub time: Duration,
    /// The expected line, from the root.
    pub line: Line,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best line; empty only if there is no legal move.
    pub line: Line,
    /// Its value for the side to move at the root.
    pub value: Value,
    /// The last iteration that was finished.
    pub depth: Depth,
    /// The deepest ply visited.
    pub deepest: Ply,
    /// Nodes searched, by all threads together.
    pub nodes: Nodes,
}
