//! The history of moves (chapter "History Moves Heuristic"): how often each was the best so far, anywhere in the tree.

use shakmaty::{Color, Move};

const SQUARES: usize = 64;

/// Counts by side, origin and target.
#[derive(Clone, Debug)]
pub struct History(Vec<u32>);

impl History {
    /// Nothing has been good yet.
    pub fn new() -> History {
        History(vec![0; 2 * SQUARES * SQUARES])
    }

    /// `mv` became the best move of its position.
    pub fn reward(&mut self, side: Color, mv: Move) {
        self.0[index(side, mv)] += 1;
    }

    /// How often it did.
    pub fn count(&self, side: Color, mv: Move) -> u32 {
        self.0[index(side, mv)]
    }
}

fn index(side: Color, mv: Move) -> usize {
    let from = mv.from().map_or(0, usize::from);
    (side.fold_wb(0, SQUARES) + from) * SQUARES + usize::from(mv.to())
}
