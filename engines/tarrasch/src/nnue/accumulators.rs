//! Incremental updates of the accumulators.
//!
//! The search does not report its moves. A slot keeps the accumulators of both sides with their board, and any slot can be
//! updated to any board, so an outdated slot costs only time. There is a slot for each ply and each pair of board halves
//! that the kings are on, because a side sees other inputs from the other half. A king that changes halves finds the
//! accumulators of its last visit.

use std::sync::Arc;

use super::board::Board;
use super::changes::Changes;
use super::network::Network;
use super::tile::Tile;
use chess::{Color, Position};

/// The slots for each pair of halves. Deeper lines reuse them from the first.
const PLIES: usize = 64;

/// A network and its slots.
#[derive(Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    /// The board of each slot.
    boards: Vec<Board>,
    /// The tiles of all slots, in each White's before Black's.
    sums: Vec<Tile>,
}

impl Accumulators {
    /// The slots of the empty board.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let slots = 2 * 2 * PLIES;
        let boards = vec![Board::default(); slots];
        let sums = network.biases.repeat(2 * slots);
        Accumulators { network, boards, sums }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The value of a position for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let (board, us) = (Board::of(position), position.side_to_move());
        let slot = self.update(&board, 2 * usize::from(position.fullmove_number()) + us.index());
        let tiles = self.network.tiles;
        let [ours, theirs] = [us, !us].map(|side| &self.sums[(2 * slot + side.index()) * tiles..][..tiles]);
        self.network.output(ours, theirs, board.bucket())
    }

    /// Updates the slot of a ply to a board and returns its index. Starts from the slot itself or that of the ply before,
    /// whichever differs less.
    #[inline]
    fn update(&mut self, board: &Board, ply: usize) -> usize {
        let mirrored = self.network.mirrored(board);
        let halves = 2 * usize::from(mirrored[0]) + usize::from(mirrored[1]);
        let [target, parent] = [ply, ply + PLIES - 1].map(|ply| halves * PLIES + ply % PLIES);
        let distance = |slot: usize| self.boards[slot].difference(board).count();
        let source = if distance(parent) < distance(target) { parent } else { target };
        let changes = Changes::between(&self.boards[source], board, mirrored);
        let tiles = self.network.tiles;
        for side in Color::ALL {
            let [from, to] = [source, target].map(|slot| (2 * slot + side.index()) * tiles);
            changes.apply(&self.network, side, &mut self.sums, from, to);
        }
        self.boards[target] = *board;
        target
    }
}
