//! A move about to be searched.

use super::move_picker::Class;
use crate::chess::{Move, Position};

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
}

impl Candidate {
    /// A move that the picker handed out as the one with this number.
    pub fn new(position: &Position, (mv, class): (Move, Class), number: usize) -> Candidate {
        Candidate { mv, class, number, gives_check: position.gives_check(mv) }
    }
}
