//! What is known about a node before its moves are searched.

use super::window::Window;
use crate::transposition_table::Entry;
use crate::{Depth, Ply, Value};
use chess::Move;

/// The facts that the pruning decisions of a node are made from.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The distance from the root.
    pub ply: Ply,
    /// What is left to search.
    pub depth: Depth,
    /// The values that matter.
    pub window: Window,
    /// Whether the node may be part of the principal variation: its window is open.
    pub is_pv: bool,
    /// Whether a move is expected to be too good for the opponent to allow the node.
    pub is_cut: bool,
    /// The static evaluation as it came; `None` in check.
    pub static_eval: Option<Value>,
    /// The same, corrected by what searches found; `None` in check.
    pub eval: Option<Value>,
    /// Whether the side to move stands better than at its last move.
    pub is_improving: bool,
    /// What the hash table knows.
    pub known: Option<Entry>,
    /// Plies to search the hash move deeper than the others; negative for less deep.
    pub extension: i32,
    /// A move that is left out, to see what the others are worth.
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
            is_cut: false,
            static_eval: None,
            eval: None,
            is_improving: false,
            known: None,
            extension: 0,
            excluded: None,
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.eval.is_none()
    }
}
