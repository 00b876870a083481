//! The accumulators of positions evaluated before, from which that of the next follows by a few rows.
//!
//! The search says nothing of its moves. A slot keeps both sides' accumulators together with the board that they belong
//! to, and any slot can be brought to any board: a bad choice costs time, never correctness. Slots go by ply, and by the
//! halves of the board that the kings are on, since a side sees other inputs from the other half; so a king that crosses
//! the middle finds the accumulators of its last visit there.

use std::sync::Arc;

use super::board::Board;
use super::changes::Changes;
use super::network::Network;
use super::tile::Tile;
use chess::{Color, Position};

/// The slots for each pair of halves. Deeper lines begin at the first one again.
const PLIES: usize = 64;

/// A network and what it remembers.
#[derive(Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    /// The board of each slot.
    boards: Vec<Board>,
    /// The tiles of one slot after the other, White's before Black's.
    sums: Vec<Tile>,
}

impl Accumulators {
    /// Every slot belongs to the empty board.
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

    /// Brings the slot of a ply to a board, from itself or from the slot of the ply before, whichever is nearer, and
    /// returns its number.
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
            for tile in 0..tiles {
                self.sums[to + tile] = changes.applied(&self.network, side, tile, self.sums[from + tile]);
            }
        }
        self.boards[target] = *board;
        target
    }
}
