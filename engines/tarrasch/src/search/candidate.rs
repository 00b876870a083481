//! A move about to be searched.

use super::move_picker::{Class, Picked};
use chess::{Move, Position};

/// A move, and what the decisions about pruning and reducing it are made from.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Where it came from.
    pub class: Class,
    /// Its place in the order of search, from 1.
    pub move_count: usize,
    /// Whether it gives check.
    pub gives_check: bool,
    /// What the history says of it, if it is quiet.
    pub history_score: i32,
}

impl Candidate {
    /// The `move_count`th move that the picker handed out.
    pub fn new(position: &Position, picked: Picked, move_count: usize) -> Candidate {
        let Picked { mv, class, history_score } = picked;
        Candidate { mv, class, move_count, gives_check: position.gives_check(mv), history_score }
    }
}
