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
    pub number: usize,
    /// Whether it gives check.
    pub gives_check: bool,
    /// What the history says of it, if it is quiet.
    pub credit: i32,
}

impl Candidate {
    /// A move that the picker handed out as the one with this number.
    pub fn new(position: &Position, picked: Picked, number: usize) -> Candidate {
        let Picked { mv, class, credit } = picked;
        Candidate { mv, class, number, gives_check: position.gives_check(mv), credit }
    }
}
