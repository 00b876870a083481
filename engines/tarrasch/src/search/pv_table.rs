//! The triangular PV table (Chess Programming Wiki, "Triangular PV-Table").

use arrayvec::ArrayVec;

use crate::Ply;
use chess::Move;

/// A line of moves.
pub type Line = ArrayVec<Move, { Ply::COUNT }>;

/// The best line from each ply on.
#[derive(Debug)]
pub struct PvTable(Box<[Line]>);

impl PvTable {
    /// Empty lines.
    pub fn new() -> PvTable {
        PvTable(vec![Line::new(); Ply::COUNT + 1].into_boxed_slice())
    }

    /// Empties the line from `ply` on.
    pub fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// The line from `ply` on becomes `mv`, followed by the line from the next ply on.
    pub fn extend(&mut self, ply: Ply, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ply.index() + 1);
        let line = &mut head[ply.index()];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(tail[0].iter().copied().take(room));
    }

    /// The line from `ply` on.
    pub fn from(&self, ply: Ply) -> &Line {
        &self.0[ply.index()]
    }
}
