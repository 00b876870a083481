//! The difference of two boards, as inputs of the network.

use std::array;

use arrayvec::ArrayVec;

use super::board::Board;
use super::feature::feature;
use super::network::Network;
use super::tile::Tile;
use chess::{Color, Piece};

/// The inputs to add and to remove, at most one of each per square; each as White and as Black see it.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    added: ArrayVec<[u16; 2], 64>,
    removed: ArrayVec<[u16; 2], 64>,
}

impl Changes {
    /// The changes from one board to another; `mirrored` says which sides see it mirrored.
    #[inline]
    pub fn between(from: &Board, to: &Board, mirrored: [bool; 2]) -> Changes {
        let mut changes = Changes::default();
        for square in from.difference(to) {
            let inputs = |piece: Piece| {
                Color::ALL.map(|side| feature(side, mirrored[side.index()], piece, square) as u16)
            };
            changes.added.extend(to.piece_on(square).map(inputs));
            changes.removed.extend(from.piece_on(square).map(inputs));
        }
        changes
    }

    /// Updates a side's accumulator: reads its tiles from `from` on and writes those from `to` on, which may be the same.
    #[inline]
    pub fn apply(&self, network: &Network, side: Color, sums: &mut [Tile], from: usize, to: usize) {
        // A move adds a piece and removes it from elsewhere, perhaps with a captured one; castling moves two.
        match (self.added.len(), self.removed.len()) {
            (1, 1) => self.apply_counted::<1, 1>(network, side, sums, from, to),
            (1, 2) => self.apply_counted::<1, 2>(network, side, sums, from, to),
            (2, 2) => self.apply_counted::<2, 2>(network, side, sums, from, to),
            _ => {
                for tile in 0..network.tiles {
                    let mut sum = sums[from + tile];
                    for inputs in &self.added {
                        sum.add(&network.row(inputs[side.index()])[tile]);
                    }
                    for inputs in &self.removed {
                        sum.subtract(&network.row(inputs[side.index()])[tile]);
                    }
                    sums[to + tile] = sum;
                }
            }
        }
    }

    /// The same for known numbers of inputs, so that a tile stays in registers until all rows are added.
    #[inline]
    fn apply_counted<const ADDED: usize, const REMOVED: usize>(
        &self,
        network: &Network,
        side: Color,
        sums: &mut [Tile],
        from: usize,
        to: usize,
    ) {
        let added: [_; ADDED] = array::from_fn(|index| network.row(self.added[index][side.index()]));
        let removed: [_; REMOVED] = array::from_fn(|index| network.row(self.removed[index][side.index()]));
        for tile in 0..network.tiles {
            let mut sum = sums[from + tile];
            for row in added {
                sum.add(&row[tile]);
            }
            for row in removed {
                sum.subtract(&row[tile]);
            }
            sums[to + tile] = sum;
        }
    }
}
