//! The line that both sides are expected to play.

use arrayvec::ArrayVec;

use crate::Ply;
use chess::Move;

/// A line of moves from some ply on.
pub type Line = ArrayVec<Move, { Ply::COUNT }>;

/// The best line found from each ply, so that a node can put its move in front of its child's line.
#[derive(Debug)]
pub struct PrincipalVariations(Box<[Line]>);

impl PrincipalVariations {
    /// No line anywhere.
    pub fn new() -> PrincipalVariations {
        PrincipalVariations(vec![Line::new(); Ply::COUNT + 1].into_boxed_slice())
    }

    /// Forgets the line from `ply`.
    pub fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// The line from `ply` becomes `mv` and then the line from the next ply.
    pub fn extend(&mut self, ply: Ply, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ply.index() + 1);
        let line = &mut head[ply.index()];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(tail[0].iter().copied().take(room));
    }

    /// The line from `ply`.
    pub fn from(&self, ply: Ply) -> &Line {
        &self.0[ply.index()]
    }
}
