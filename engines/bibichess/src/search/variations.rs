//! The lines of play that the search expects.

use chess::Move;

use crate::ply::Ply;

/// The best line found from each ply, so that a node can put its move in front of the line of its child.
#[derive(Debug)]
pub struct Variations(Box<[Vec<Move>]>);

impl Variations {
    /// No line from anywhere.
    pub fn new() -> Variations {
        Variations(vec![Vec::new(); Ply::COUNT + 1].into_boxed_slice())
    }

    /// Forgets the line from a ply.
    pub fn clear(&mut self, ply: Ply) {
        self.0[ply.get()].clear();
    }

    /// The line from `ply` becomes `mv`, and after it the line from the next ply.
    pub fn extend(&mut self, ply: Ply, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply.next().get());
        let line = &mut here[ply.get()];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    /// The line from the root.
    pub fn principal(&self) -> &[Move] {
        &self.0[Ply::ROOT.get()]
    }
}
