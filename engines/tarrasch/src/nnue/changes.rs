//! The difference of two boards, as inputs of the network.

use arrayvec::ArrayVec;

use super::board::Board;
use super::feature::feature;
use super::network::Network;
use super::tile::Tile;
use chess::Color;

/// The updates of both accumulators.
#[derive(Clone, Debug, Default)]
pub struct Changes([SideChanges; 2]);

/// The inputs to add and to remove, at most one of each per square.
#[derive(Clone, Debug, Default)]
struct SideChanges {
    added: ArrayVec<u16, 64>,
    removed: ArrayVec<u16, 64>,
}

impl Changes {
    /// The changes from one board to another; `mirrored` says which sides see it mirrored.
    #[inline]
    pub fn between(from: &Board, to: &Board, mirrored: [bool; 2]) -> Changes {
        let mut changes = Changes::default();
        for square in from.difference(to) {
            let (added, removed) = (to.piece_on(square), from.piece_on(square));
            for perspective in Color::ALL {
                let side = perspective.index();
                let input = |piece| feature(perspective, mirrored[side], piece, square) as u16;
                changes.0[side].added.extend(added.map(input));
                changes.0[side].removed.extend(removed.map(input));
            }
        }
        changes
    }

    /// Updates a tile of a side's accumulator. It stays in registers until all rows are added.
    #[inline]
    pub fn applied(&self, network: &Network, side: Color, tile: usize, mut sums: Tile) -> Tile {
        let SideChanges { added, removed } = &self.0[side.index()];
        for &input in added {
            sums.add(&network.row(usize::from(input))[tile]);
        }
        for &input in removed {
            sums.subtract(&network.row(usize::from(input))[tile]);
        }
        sums
    }
}
