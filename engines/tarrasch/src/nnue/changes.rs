//! The difference of two boards, as a network sees it.

use arrayvec::ArrayVec;

use super::board::Board;
use super::feature::feature;
use super::network::Network;
use super::tile::Tile;
use chess::Color;

/// The inputs to set and those to unset, at most one of each for a square.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    added: ArrayVec<u16, 64>,
    removed: ArrayVec<u16, 64>,
}

impl Changes {
    /// What makes one board of another, for a side that sees the board so.
    #[inline]
    pub fn between(from: &Board, to: &Board, perspective: Color, mirrored: bool) -> Changes {
        let mut changes = Changes::default();
        for square in from.difference(to) {
            let input = |piece| feature(perspective, mirrored, piece, square) as u16;
            changes.added.extend(to.piece_on(square).map(input));
            changes.removed.extend(from.piece_on(square).map(input));
        }
        changes
    }

    /// A tile of the accumulator of the other board, from that of the one. The tile stays in registers from the first
    /// row to the last.
    #[inline]
    pub fn applied(&self, network: &Network, tile: usize, mut sums: Tile) -> Tile {
        for &input in &self.added {
            sums.add(&network.row(usize::from(input))[tile]);
        }
        for &input in &self.removed {
            sums.subtract(&network.row(usize::from(input))[tile]);
        }
        sums
    }
}
