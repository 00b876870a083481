//! A node before its moves are searched.

use super::window::Window;
use crate::transposition_table::Entry;
use crate::{Depth, Ply, Value};
use chess::Move;

/// What the decisions about pruning a node are based on.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "`cut_node` is the usual term")]
pub struct Node {
    /// The distance from the root.
    pub ply: Ply,
    /// The remaining depth.
    pub depth: Depth,
    /// Alpha and beta.
    pub window: Window,
    /// Whether this is a PV node: its window is wider than a zero window.
    pub is_pv: bool,
    /// Whether this is an expected cut node: a move is expected to fail high.
    pub cut_node: bool,
    /// The raw static evaluation; `None` in check.
    pub static_eval: Option<Value>,
    /// The static evaluation, corrected by the correction history and the TT value; `None` in check.
    pub eval: Option<Value>,
    /// Whether the static evaluation is better than two plies ago.
    pub is_improving: bool,
    /// The TT entry.
    pub tt_entry: Option<Entry>,
    /// The extension of the TT move in plies; negative for a reduction.
    pub extension: i32,
    /// The excluded move of a singular search.
    pub excluded: Option<Move>,
}

impl Node {
    /// A zero-window node without evaluation and TT entry.
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
