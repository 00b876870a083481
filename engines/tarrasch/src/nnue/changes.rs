//! The difference of two boards, as a network sees it.

use arrayvec::ArrayVec;

use super::board::Board;
use super::feature::feature;
use super::network::Network;
use super::tile::Tile;
use chess::Color;

/// What is to be done to the accumulators of White and of Black.
#[derive(Clone, Debug, Default)]
pub struct Changes([SideChanges; 2]);

/// The inputs to set and those to unset, at most one of each for a square.
#[derive(Clone, Debug, Default)]
struct SideChanges {
    added: ArrayVec<u16, 64>,
    removed: ArrayVec<u16, 64>,
}

impl Changes {
    /// What makes one board of another, for sides that see the board mirrored or not.
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

    /// A tile of a side's accumulator for the other board, from that for the one. The tile stays in registers from the
    /// first row to the last.
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
