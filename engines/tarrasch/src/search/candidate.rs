//! A move before it is searched.

use super::move_picker::{MoveClass, Picked};
use chess::{Move, Position};

/// What the decisions about pruning and reducing a move are based on.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The stage of the move picker that it came from.
    pub class: MoveClass,
    /// Its number in the order of search, from 1.
    pub move_count: usize,
    /// Whether it gives check.
    pub gives_check: bool,
    /// Its history score: see [`Picked::history_score`].
    pub history_score: i32,
}

impl Candidate {
    /// The move number `move_count` of the picker.
    pub fn new(position: &Position, picked: Picked, move_count: usize) -> Candidate {
        let Picked { mv, class, history_score } = picked;
        Candidate { mv, class, move_count, gives_check: position.gives_check(mv), history_score }
    }
}
