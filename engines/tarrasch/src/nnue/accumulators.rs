//! The accumulators of positions evaluated before, from which that of the next follows by a few rows.
//!
//! The search says nothing of its moves. A slot keeps an accumulator together with the board that it belongs to, and any
//! slot can be brought to any board: a bad choice costs time, never correctness. Slots go by ply, and by the half of the
//! board that the king is on, since the two halves see other inputs; so a king that crosses the middle finds the
//! accumulator of its last visit there.

use std::sync::Arc;

use super::board::Board;
use super::changes::Changes;
use super::feature::is_mirrored;
use super::network::Network;
use super::tile::Tile;
use chess::{Color, Position};

/// The slots for each perspective and half of the board. Deeper lines begin at the first one again.
const PLIES: usize = 64;

/// A network and what it remembers.
#[derive(Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    /// The board of each slot.
    boards: Vec<Board>,
    /// The tiles of one slot after the other.
    sums: Vec<Tile>,
}

impl Accumulators {
    /// Every slot belongs to the empty board.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let slots = 2 * 2 * PLIES;
        let boards = vec![Board::default(); slots];
        let sums = network.biases.repeat(slots);
        Accumulators { network, boards, sums }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The value of a position for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let (board, us) = (Board::of(position), position.side_to_move());
        let ply = 2 * usize::from(position.fullmove_number()) + us.index();
        let [ours, theirs] = [us, !us].map(|perspective| self.update(perspective, &board, ply));
        let of_slot = |slot: usize| &self.sums[slot * self.network.tiles..][..self.network.tiles];
        self.network.output(of_slot(ours), of_slot(theirs))
    }

    /// Brings the slot of a ply to a board, from itself or from the slot of the ply before, whichever is nearer, and
    /// returns its number.
    #[inline]
    fn update(&mut self, perspective: Color, board: &Board, ply: usize) -> usize {
        let mirrored = self.network.mirrors && is_mirrored(board.king(perspective));
        let first = (2 * perspective.index() + usize::from(mirrored)) * PLIES;
        let [target, parent] = [ply, ply + PLIES - 1].map(|ply| first + ply % PLIES);
        let distance = |slot: usize| self.boards[slot].difference(board).count();
        let source = if distance(parent) < distance(target) { parent } else { target };
        let changes = Changes::between(&self.boards[source], board, perspective, mirrored);
        let tiles = self.network.tiles;
        for tile in 0..tiles {
            let sums = self.sums[source * tiles + tile];
            self.sums[target * tiles + tile] = changes.applied(&self.network, tile, sums);
        }
        self.boards[target] = *board;
        target
    }
}
