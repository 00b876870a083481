//! The reports and the outcome of a search.

use std::time::Duration;

use super::pv_table::Line;
use crate::transposition_table::Bound;
use crate::{Depth, Nodes, Ply, Value};

/// A line, at the end of an iteration or after a fail high or low.
#[derive(Clone, Debug)]
pub struct Report {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The deepest ply visited so far.
    pub sel_depth: Ply,
    /// The number of the `MultiPV` line, from 0.
    pub line_index: usize,
    /// The value for the side to move at the root.
    pub value: Value,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// The nodes of all threads so far.
    pub nodes: Nodes,
    /// The share of the TT in use, in permille.
    pub hashfull: u32,
    /// Tablebase hits so far; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// Time since `go`.
    pub time: Duration,
    /// The principal variation.
    pub line: Line,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The principal variation; empty only if there is no legal move.
    pub line: Line,
    /// Its value for the side to move at the root.
    pub value: Value,
    /// The depth of the last finished iteration.
    pub depth: Depth,
    /// The deepest ply visited.
    pub sel_depth: Ply,
    /// The nodes of all threads.
    pub nodes: Nodes,
}
