//! Random openings that are not lopsided.

use super::Chance;
use crate::{Nodes, SoftNodeSearch};
use chess::{MoveList, Position};

/// How random openings are made, and which are rejected.
#[derive(Clone, Copy, Debug)]
pub struct RandomOpening {
    /// The random plies, every other time one more.
    pub plies: u32,
    /// Soft node limit of the search that evaluates the opening.
    pub nodes: u32,
    /// The hard node limit of that search, as a multiple of the soft one.
    pub hard_factor: u32,
    /// Openings with at least this score, in centipawns for either side, are rejected.
    pub score: u16,
}

impl RandomOpening {
    /// The default.
    pub const DEFAULT: RandomOpening = RandomOpening { plies: 8, nodes: 10_000, hard_factor: 10, score: 400 };

    /// `start` after random plies; `None` if that is lopsided or the game is over.
    pub fn draw(
        &self,
        start: Position,
        chance: &mut Chance,
        search: &mut SoftNodeSearch,
    ) -> Option<Position> {
        let mut position = start;
        for _ in 0..self.plies + chance.below(2) {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                return None;
            }
            position.play_unchecked(moves[chance.below(moves.len() as u32) as usize]);
        }
        if !position.has_legal_move() {
            return None;
        }
        let soft = Nodes::new(self.nodes.into());
        let hard = Nodes::new(u64::from(self.nodes) * u64::from(self.hard_factor));
        let (_, value) = search.search(&position, &[], soft, hard);
        (value.get().unsigned_abs() < self.score.into()).then_some(position)
    }
}
