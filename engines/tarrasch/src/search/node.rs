//! What is known about a node before its moves are searched.

use super::window::Window;
use crate::transposition_table::Entry;
use crate::{Depth, Ply, Value};
use chess::Move;

/// The facts that the pruning decisions of a node are made from.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "a cut node is what everybody calls it")]
pub struct Node {
    /// The distance from the root.
    pub ply: Ply,
    /// What is left to search.
    pub depth: Depth,
    /// The values that matter.
    pub window: Window,
    /// Whether the node may be part of the principal variation: its window is open.
    pub is_pv: bool,
    /// Whether the node is an expected cut node: a move is expected to fail high.
    pub cut_node: bool,
    /// The raw static evaluation; `None` in check.
    pub static_eval: Option<Value>,
    /// The same, corrected by what searches found; `None` in check.
    pub eval: Option<Value>,
    /// Whether the static evaluation is better than two plies ago.
    pub is_improving: bool,
    /// What the transposition table knows.
    pub tt_entry: Option<Entry>,
    /// Plies to search the TT move deeper than the others; negative for less deep.
    pub extension: i32,
    /// The excluded move of a singular search.
    pub excluded: Option<Move>,
}

impl Node {
    /// Nothing is known yet.
    pub fn new(ply: Ply, depth: Depth, window: Window) -> Node {
        Node {
            ply,
            depth,
            window,
            is_pv: false,
            cut_node: false,
            static_eval: None,
            eval: None,
            is_improving: false,
            tt_entry: None,
            extension: 0,
            excluded: None,
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.eval.is_none()
    }
}
