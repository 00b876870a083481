//! A node before its moves are searched: its window, what is known of it, and the move to be searched next.

use super::move_picker::{MoveClass, Picked};
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Value};
use chess::{Move, Position};

/// The values between alpha and beta, both excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The side to move already has this value: lower ones fail low.
    pub alpha: Value,
    /// The opponent does not allow this value: from here on the node fails high.
    pub beta: Value,
}

impl Window {
    pub const OPEN: Window = Window { alpha: Value::new(-Value::INFINITE.get()), beta: Value::INFINITE };

    /// The zero window that tests whether a value is above `alpha`.
    pub fn zero_above(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// `radius` centipawns to either side of a value.
    pub fn around(value: Value, radius: i32) -> Window {
        let bounded = |value: Value| value.clamp(-Value::INFINITE, Value::INFINITE);
        Window { alpha: bounded(value - radius), beta: bounded(value + radius) }
    }

    /// The same window from the opponent's point of view.
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Mate distance pruning: the window without mates that are impossible at `ply`. May be empty.
    pub fn within_mate_distance(self, ply: Ply) -> Window {
        Window {
            alpha: self.alpha.max(Value::mated_in(ply)),
            beta: self.beta.min(Value::mate_in(ply.next())),
        }
    }

    /// The bound of a value that a search with this window returned. Only PV nodes return exact values.
    pub fn bound_of(self, value: Value, is_pv: bool) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if is_pv && value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Moves a value above beta towards beta, to (beta + `parts` × value) / (`parts` + 1): the search proved that the
    /// value exceeds beta, but not by how much. Mates stay as they are.
    pub fn soften_fail_high(self, value: Value, parts: i32) -> Value {
        let is_above = value > self.beta && !value.is_mate() && !self.beta.is_mate();
        if is_above { self.beta + (value - self.beta) * parts / (parts + 1) } else { value }
    }

    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// What the decisions about pruning a node are based on.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "`cut_node` is the usual term")]
pub struct Node {
    pub ply: Ply,
    pub depth: Depth,
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

    pub fn is_check(&self) -> bool {
        self.eval.is_none()
    }
}

/// What the decisions about pruning and reducing a move are based on.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub mv: Move,
    /// The stage of the move picker that it came from.
    pub class: MoveClass,
    /// Its number in the order of search, from 1.
    pub move_count: usize,
    pub gives_check: bool,
    /// Its history score: see [`Picked::history_score`].
    pub history_score: i32,
}

impl Candidate {
    /// The move that the picker returned as number `move_count`.
    pub fn new(position: &Position, picked: Picked, move_count: usize) -> Candidate {
        let Picked { mv, class, history_score } = picked;
        Candidate { mv, class, move_count, gives_check: position.gives_check(mv), history_score }
    }
}

/// A limit was reached or `stop` came. The value of the node is unknown, so all nodes above it end, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;
